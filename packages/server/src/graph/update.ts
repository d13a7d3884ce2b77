import { CodedError } from '@cairn/errors';
import { readText } from '../http/body.ts';
import { requireMediaType } from '../http/media-type.ts';
import type { HttpAnswer } from '../http/message.ts';
import { type Parameter, texts } from '../parameters/parameter.ts';
import { parseLongForm } from '../parameters/sent.ts';
import type { Context } from '../routing/context.ts';
import { defineRoute, type MediaDescription, type Route } from '../routing/route.ts';
import { changeAnswer, changeDataset, defaultLabelOf } from './change.ts';
import { DATASET, datasetOf, GRAPH_FAULTS, toEvaluation } from './dataset.ts';
import { LABEL_HEADER, labelOf } from './label.ts';

export const UPDATE_TYPE = 'application/sparql-update';
const FORM_TYPE = 'application/x-www-form-urlencoded';

export const UPDATE_EXAMPLE = 'INSERT DATA { <https://example.org/s> <https://example.org/p> "o" }';

/** The dataset clauses of an update by protocol. */
export interface UpdateGraphs {
  readonly usingGraphs: readonly string[];
  readonly usingNamedGraphs: readonly string[];
}

const USING = {
  usingGraphs: texts('using-graph-uri', { description: 'Default graph of WHERE clauses, as in the SPARQL protocol.' }),
  usingNamedGraphs: texts('using-named-graph-uri', { description: 'Named graph of WHERE clauses.' }),
};

/** A form with a query or an update, and beside it the graphs that its query string may name as well. */
export function formOf(
  field: 'query' | 'update',
  example: string,
  graphs: readonly Parameter<readonly string[]>[],
): MediaDescription {
  const list = { type: 'array', items: { type: 'string' } };
  const schema = {
    type: 'object',
    properties: {
      [field]: { type: 'string' },
      ...Object.fromEntries(graphs.map(({ name, description }) => [name, { ...list, description }])),
    },
    required: [field],
  };
  return { schema, example: { [field]: example } };
}

export const graphUpdate: Route = defineRoute({
  area: 'graph',
  method: 'POST',
  path: '/{dataset}/update',
  operation: 'graphUpdate',
  summary: 'Runs a SPARQL update over what the caller may see; answers when every cache has applied it.',
  access: 'graph.write',
  intake: 'body',
  ignoreUnknown: true,
  parameters: { ...DATASET, ...USING },
  requestHeaders: [LABEL_HEADER],
  body: {
    types: [UPDATE_TYPE, FORM_TYPE],
    description: 'The update; in a form as `update`.',
    example: UPDATE_EXAMPLE,
    media: { [FORM_TYPE]: formOf('update', UPDATE_EXAMPLE, Object.values(USING)) },
  },
  answers: [
    {
      status: 200,
      description:
        'Done; `Cairn-Position` is where its event stands, or the end of the topic when it changed nothing. `Cairn-Warning` says when its sender may not read what it added.',
      types: ['text/plain'],
    },
    ...GRAPH_FAULTS,
  ],
  handle: (context, { dataset, usingGraphs, usingNamedGraphs }) =>
    update(context, dataset, { usingGraphs, usingNamedGraphs }),
});

export type Form = ReadonlyMap<string, readonly string[]>;

/** Runs the update in the body of a request, or in its form when that was read already. */
export async function update(context: Context, dataset: string, sent: UpdateGraphs, form?: Form): Promise<HttpAnswer> {
  datasetOf(context, dataset);
  const { text, graphs } = form === undefined ? await readUpdate(context, sent) : fromForm(form, sent);
  const label = labelOf(context) ?? defaultLabelOf(context, dataset);
  const { usingGraphs: defaultGraphs, usingNamedGraphs: namedGraphs } = graphs;
  const outcome = await changeDataset(context, dataset, (current) => {
    return current.evaluateUpdate(context.viewer, text, {
      ...toEvaluation(context, { defaultGraphs, namedGraphs }),
      label,
    });
  });
  return changeAnswer(200, 'Update succeeded\n', outcome);
}

interface SentUpdate {
  readonly text: string;
  readonly graphs: UpdateGraphs;
}

async function readUpdate(context: Context, sent: UpdateGraphs): Promise<SentUpdate> {
  const type = requireMediaType(context.request, [UPDATE_TYPE, FORM_TYPE]);
  const body = await readText(context.request, context.bodyLimits);
  if (type === UPDATE_TYPE) return { text: body, graphs: sent };
  return fromForm(await parseLongForm(body), sent);
}

function fromForm(form: Form, sent: UpdateGraphs): SentUpdate {
  const graphs = {
    usingGraphs: [...sent.usingGraphs, ...(form.get('using-graph-uri') ?? [])],
    usingNamedGraphs: [...sent.usingNamedGraphs, ...(form.get('using-named-graph-uri') ?? [])],
  };
  return { text: single(form.get('update'), 'update'), graphs };
}

/** The one value of a form field. @throws `ERR_PARAMETER` (invalid) for none or several. */
export function single(values: readonly string[] | undefined, name: string): string {
  if (values?.length === 1) return values[0] as string;
  const message = `form parameter ${name} must be given once; got ${values?.length ?? 0}`;
  throw new CodedError({ code: 'ERR_PARAMETER', kind: 'invalid', message });
}
