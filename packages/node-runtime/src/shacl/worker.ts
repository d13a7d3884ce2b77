import { runShaclTask, type ShaclTask } from '@cairn/rdf-graph/shacl';
import { serveTasks } from '../worker-pool/serve.ts';

// The libraries print what they make of shapes; a log must never hold a document's content.
for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) console[method] = () => {};

serveTasks((task: ShaclTask) => runShaclTask(task, { now: () => performance.now() }));
