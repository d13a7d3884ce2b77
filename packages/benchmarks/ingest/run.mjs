// npm run bench -- ingest [DOCUMENTS] [NAMES]: the pipeline, then uploads over HTTP against a bare busboy handler.
import { runPipeline } from './pipeline.mjs';
import { compareUploads } from './uploads.mjs';

const documents = Number(process.argv[2] ?? 5000);
const names = Number(process.argv[3] ?? 20_000);

const { timings, bytes, figures } = await runPipeline(documents, names);
const perSecond = (count, seconds) => Math.round(count / seconds).toLocaleString('en');
console.log(`pipeline: ${documents} documents of ${Math.round(bytes / documents)} bytes, ${names} names, in memory`);
console.table({
  'names into the graph, the index and the gazetteer': {
    seconds: timings.names.toFixed(2),
    'per second': perSecond(names, timings.names),
  },
  'documents accepted': { seconds: timings.accepted.toFixed(2), 'per second': perSecond(documents, timings.accepted) },
  'documents to the end': { seconds: timings.all.toFixed(2), 'per second': perSecond(documents, timings.all) },
});
const dead = figures.projectors.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
if (dead > 0) throw new Error(`${dead} dead letters`);
await compareUploads();
