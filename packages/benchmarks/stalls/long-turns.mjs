// What ran in the long turns of an event loop, from a CPU profile of the same clock.

const SHOWN_TURNS = 12;
const SHOWN_FRAMES = 14;

/** The longest turns by their own CPU time, with the functions that took most of each, callees included. */
export function longTurns({ nodes, startTime, samples, timeDeltas }, turns) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const longest = turns.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, SHOWN_TURNS);
  return longest.map((turn) => {
    const totals = new Map();
    let at = startTime;
    samples.forEach((id, i) => {
      at += timeDeltas[i];
      if (at <= turn.start || at > turn.end) return;
      for (const name of namesOf(byId.get(id))) totals.set(name, (totals.get(name) ?? 0) + timeDeltas[i] / 1000);
    });
    const frames = [...totals].sort(([, a], [, b]) => b - a).slice(0, SHOWN_FRAMES);
    return { wallMs: (turn.end - turn.start) / 1000, cpuMs: turn.cpuMs, frames };
  });
}

/** The functions of a sample, each once. */
function namesOf(node) {
  const names = new Set();
  for (let at = node; at !== undefined; at = at.parent) {
    const { functionName, url, lineNumber } = at.callFrame;
    if (functionName !== '(root)') {
      names.add(
        `${functionName || 'anonymous'} ${url.replace(/^.*\/(node_modules|packages)\//, '')}:${lineNumber + 1}`,
      );
    }
  }
  return names;
}
