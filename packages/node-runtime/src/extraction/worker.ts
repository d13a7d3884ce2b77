import { workerData } from 'node:worker_threads';
import type { ExtractionRequest } from '@cairn/ingest';
import { serveTasks } from '../worker-pool/serve.ts';
import { AllocationGuard } from './allocation-guard.ts';
import { extractDocument } from './extract.ts';
import type { ResolvedExtractionLimits } from './limits.ts';

// Libraries print warnings that quote the document; a log must never hold its content.
for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) console[method] = () => {};

const limits = workerData as ResolvedExtractionLimits;
const guard = new AllocationGuard(limits.maxBufferBytes);
guard.install();

serveTasks((request: ExtractionRequest) => guard.watch(() => extractDocument(request, limits)));
