# shellcheck shell=bash
# What the scripts beside this file share: the packages headway needs, and how it is built.
# Sourced by bash under `set -euo pipefail`; leaves the shell in the root of the sources.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# Names of Debian packages, in groups; other scripts than this one use them.
# shellcheck disable=SC2034
build_packages=(g++ cmake ninja-build libtbb-dev libcli11-dev libyaml-cpp-dev
                libcadical-dev libfmt-dev nlohmann-json3-dev node-dagre-layout opencl-c-headers
                libvulkan-dev clang-19 llvm-19-dev libz3-dev libisl-dev
                spirv-tools spirv-headers)
# shellcheck disable=SC2034
test_packages=(doctest-dev libboost-dev libbenchmark-dev chromium chromium-driver python3-selenium python3-yaml
               spin valgrind ocl-icd-libopencl1 pocl-opencl-icd mesa-vulkan-drivers glslang-tools
               abigail-tools man-db pkg-config fish zsh pybind11-dev python3-dev
               parallel libcvc5-dev)
# shellcheck disable=SC2034
package_packages=(dpkg-dev file lintian xz-utils pybind11-dev python3-dev libcvc5-dev)
# shellcheck disable=SC2034
asan_packages=(clang libclang-rt-dev llvm)  # llvm-symbolizer says where a finding is
# shellcheck disable=SC2034
site_packages=(emscripten glslang-tools)  # compile the engine for browsers, and shaders that it shows

say() { printf '== %s\n' "$*"; }

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 2
}

# Runs a command and shows what it printed only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if ((status != 0)); then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

twice() { "$@" || { sleep 3 && "$@"; }; }

# Installs those of the named packages that are missing. Asks apt for nothing when none is.
need() {
  local package installed missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system; if the build fails, install what these packages hold: $*"
    return
  fi
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "missing packages; run as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq
             -o DPkg::Lock::Timeout=120)
  say "installing ${missing[*]}"
  quietly twice "${apt[@]}" update || die "apt-get update failed"
  quietly twice "${apt[@]}" install --no-install-recommends -y "${missing[@]}" ||
    die "could not install ${missing[*]}"
}

# What a folder is made with, from npm: kept as long as it is what package-lock.json asks for.
modules() {
  [[ $1/node_modules/.package-lock.json -nt $1/package-lock.json ]] && return
  command -v npm >/dev/null || need npm
  (cd "$1" && quietly twice npm ci --ignore-scripts --no-audit --no-fund --fetch-retries 0)
}

# What reads WGSL, which is compiled into the program; before it is configured.
naga() {
  modules src/kernel/naga ||
    say "headway will not read WGSL: naga could not be had from npm's registry"
}

# configure PRESET [-DNAME=VALUE...]: with HEADWAY_UNITY_FLOORS set, for what is compiled once alone.
configure() {
  local whole=()
  # Emscripten compiles few floors, each of them once.
  if [[ -n ${HEADWAY_UNITY_FLOORS:-} && $1 != wasm ]]; then whole=(-DHEADWAY_UNITY_FLOORS=ON); fi
  quietly cmake --preset "$@" "${whole[@]}"
}

# build PRESET [TARGET...]: ninja's line of progress on a terminal, nothing elsewhere.
build() {
  local preset=$1
  shift
  local command=(cmake --build --preset "$preset" ${1:+--target "$@"})
  if [[ -t 1 ]]; then "${command[@]}"; else quietly "${command[@]}"; fi
}
