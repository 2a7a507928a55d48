// Light or dark: as the system says, or as was chosen.
const kThemes = ["auto", "light", "dark"];
const kNames = {auto: "\u25d0 Auto", light: "\u25cb Light", dark: "\u25cf Dark"};

function stored(theme) {
  try {  // a browser may refuse storage
    if (theme !== undefined) localStorage.setItem("headway-theme", theme);
    return localStorage.getItem("headway-theme");
  } catch {
    return null;
  }
}

export function startTheme() {
  const control = document.getElementById("theme");
  const set = (theme) => {
    document.documentElement.dataset.theme = theme;
    control.textContent = kNames[theme];
    control.setAttribute("aria-label", `Colours: ${theme}`);
  };
  const before = stored();
  set(kThemes.includes(before) ? before : "auto");
  control.addEventListener("click", () => {
    const next = kThemes[(kThemes.indexOf(document.documentElement.dataset.theme) + 1) % 3];
    set(next);
    stored(next);
  });
}
