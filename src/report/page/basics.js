// Sets of threads, which are bit masks, and words: what the other files use, and the playground
// too.

const has = (set, thread) => (set >> thread & 1) !== 0;
const members = (set) => {
  const list = [];
  for (let thread = 0; set >> thread !== 0; ++thread)
    if (has(set, thread)) list.push(thread);
  return list;
};
const setText = (set) => `{${members(set).join(", ")}}`;

const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);
