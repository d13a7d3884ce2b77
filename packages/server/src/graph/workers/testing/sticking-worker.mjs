// The worker of queries with a fault, which has to hear of a query first.
import './sticking-queries.mjs';
import '../../../../dist/graph/workers/worker.js';
