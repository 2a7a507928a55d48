// Campaigns and their finished results, kept by the browser, so that nothing that ended is lost with
// the page: a result is on the disk before the next test begins.

const promised = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

const done = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = () => resolve();
  transaction.onerror = transaction.onabort = () => reject(transaction.error);
});

export class Store {
  #database;

  constructor(database) {
    this.#database = database;
  }

  static async open() {
    const request = indexedDB.open("headway", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("campaigns", {keyPath: "suite"});
      request.result.createObjectStore("results", {keyPath: ["suite", "mapping", "test"]});
    };
    return new Store(await promised(request));
  }

  #ofSuite(suite) {
    return IDBKeyRange.bound([suite], [suite, []]);
  }

  // The campaign on a suite, null when there is none, and its results in the order of their tests.
  async load(suite) {
    const transaction = this.#database.transaction(["campaigns", "results"]);
    const [campaign, results] = await Promise.all([
      promised(transaction.objectStore("campaigns").get(suite)),
      promised(transaction.objectStore("results").getAll(this.#ofSuite(suite)))]);
    return {campaign: campaign ?? null, results};
  }

  // Keeps a new campaign instead of the one on the same suite, whose results go.
  async begin(campaign) {
    const options = {durability: "strict"};
    const transaction = this.#database.transaction(["campaigns", "results"], "readwrite", options);
    transaction.objectStore("campaigns").put(campaign);
    transaction.objectStore("results").delete(this.#ofSuite(campaign.suite));
    await done(transaction);
  }

  async add(result) {
    const transaction = this.#database.transaction("results", "readwrite", {durability: "strict"});
    transaction.objectStore("results").put(result);
    await done(transaction);
  }
}
