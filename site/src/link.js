// What the page shows as the fragment of its address, which browsers send nowhere.

async function through(stream, bytes) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

const kMostBytes = 1 << 20;  // of what a link may unpack to

export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(new CompressionStream("deflate-raw"), bytes);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// null for what is no such text.
export async function unpack(text) {
  try {
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const reader = new Blob([Uint8Array.from(raw, (c) => c.charCodeAt(0))])
                     .stream()
                     .pipeThrough(new DecompressionStream("deflate-raw"))
                     .getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      size += value.length;
      if (size > kMostBytes) return null;
      parts.push(value);
    }
    const state = JSON.parse(await new Blob(parts).text());
    const plain = state !== null && typeof state === "object" && typeof state.text === "string";
    return plain ? state : null;
  } catch {
    return null;
  }
}
