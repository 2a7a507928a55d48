// The engine in a worker.
import {loadEngine, serveEngine} from "./report_page.js";

serveEngine(loadEngine);
