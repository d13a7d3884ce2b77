/** The value of a key, computed when it is first asked for. Where there are `most` others, the oldest is forgotten. */
export function recall<Key, Value>(
  memory: Map<Key, Value>,
  key: Key,
  compute: (key: Key) => Value,
  most: number = Number.POSITIVE_INFINITY,
): Value {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = compute(key);
  if (memory.size >= most) {
    const [oldest] = memory.keys();
    memory.delete(oldest);
  }
  memory.set(key, value);
  return value;
}

/** The same among what is remembered of a thing for as long as it is there. */
export function recallOf<Thing extends object, Key, Value>(
  memories: WeakMap<Thing, Map<Key, Value>>,
  thing: Thing,
  key: Key,
  compute: (key: Key) => Value,
  most?: number,
): Value {
  let memory = memories.get(thing);
  if (memory === undefined) {
    memory = new Map();
    memories.set(thing, memory);
  }
  return recall(memory, key, compute, most);
}
