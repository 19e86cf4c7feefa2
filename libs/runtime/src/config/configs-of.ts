import { MODULE_METADATA } from '@nestjs/common/constants';
import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { isConfig } from './setting';

type Imported = Type | DynamicModule | Promise<DynamicModule> | ForwardReference;

/**
 * The configuration classes that a module and all that it imports provide, as Nest's decorators record them: what a
 * process will read, known before any of it is built. None can be forgotten.
 */
export function configsOf(root: Type): readonly Type[] {
  const seen = new Set<unknown>();
  const configs = new Set<Type>();

  const visit = (module: Imported): void => {
    // A module that is only known later is a library's; ours are all there at once.
    if (module instanceof Promise || seen.has(module)) return;
    seen.add(module);
    if (typeof module === 'function') return visitLists(module);
    if ('forwardRef' in module) return visit(module.forwardRef() as Imported);
    collect(module.providers);
    module.imports?.forEach((each) => visit(each as Imported));
    visit(module.module);
  };
  const visitLists = (module: Type): void => {
    collect(Reflect.getMetadata(MODULE_METADATA.PROVIDERS, module));
    const imports: readonly Imported[] = Reflect.getMetadata(MODULE_METADATA.IMPORTS, module) ?? [];
    imports.forEach(visit);
  };
  const collect = (providers: readonly Provider[] = []): void => {
    for (const provider of providers) {
      const token = typeof provider === 'object' ? provider.provide : provider;
      if (isConfig(token)) configs.add(token);
    }
  };

  visit(root);
  return [...configs];
}
