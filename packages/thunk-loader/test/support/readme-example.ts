/** The example as a function of its imports; a device that keeps books stands in for the GPU. */
export function exampleOf(readme: string): (modules: object, console: object) => Promise<void> {
  const body = /```ts\n([^]*?)```/
    .exec(readme)![1]!
    .replaceAll(/import (\{.*\}) from '(.*)';/g, (_, names: string, from: string) => `const ${names} = modules['${from}'];`);
  const AsyncFunction = (async () => Promise.resolve()).constructor as FunctionConstructor;
  return new AsyncFunction('modules', 'console', body) as unknown as ReturnType<typeof exampleOf>;
}
