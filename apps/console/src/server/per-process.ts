const slots = Symbol.for("evenkeel.console.per-process");

/**
 * One value per process under a name. The bundler may load a module several times (pages, route handlers,
 * instrumentation, hot reload), so module scope is not process scope.
 */
export function perProcess<T>(name: string, make: () => T): T {
  // globalThis has no typed place for our slots; the symbol is ours alone and only this function writes it.
  const holder = globalThis as unknown as { [slots]?: Map<string, unknown> };
  holder[slots] ??= new Map();
  const values = holder[slots];
  if (!values.has(name)) values.set(name, make());
  // The value under a name is always made by the same call site, hence of its type.
  return values.get(name) as T;
}
