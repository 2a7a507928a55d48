// Keeps the playground for times without a network; a new build has a new stamp, and replaces it.
const kCache = "headway-{{stamp}}";
const kFiles = "{{files}}";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(kFiles)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith("headway-") && name !== kCache)
      .map((name) => caches.delete(name)))));
});

// The network first, as long as there is one.
self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(
    async (error) => (await caches.match(event.request, {ignoreSearch: true})) ?? Promise.reject(error)));
});
