export type ObserveEngine = (engine: string, operation: string, durationMs: number) => void;

/** A port whose calls of these names are timed, until their promise is settled. */
export function timed<Port extends object>(
  port: Port,
  engine: string,
  operations: readonly (keyof Port & string)[],
  observe: ObserveEngine,
): Port {
  const methods = new Map(operations.map((name) => [name as PropertyKey, timedMethod(port, engine, name, observe)]));
  return new Proxy(port, { get: (target, key) => methods.get(key) ?? Reflect.get(target, key, target) });
}

function timedMethod<Port extends object>(
  port: Port,
  engine: string,
  name: keyof Port & string,
  observe: ObserveEngine,
): (...values: unknown[]) => Promise<unknown> {
  return async (...values) => {
    const startedMs = performance.now();
    try {
      return await (port[name] as (...values: unknown[]) => unknown)(...values);
    } finally {
      observe(engine, name, performance.now() - startedMs);
    }
  };
}
