import { MODULE_METADATA } from '@nestjs/common/constants';
import type { DynamicModule, ForwardReference, Provider, Type } from '@nestjs/common';
import { isConfig } from './setting';

type Imported = Type | DynamicModule | Promise<DynamicModule> | ForwardReference;

/**
 * Returns the configuration classes that a module and its imports provide, as Nest's decorators record them. So a process
 * knows all that it will read before it builds anything.
 */
export function configsOf(root: Type): readonly Type[] {
  const seen = new Set<unknown>();
  const configs = new Set<Type>();

  const visit = (module: Imported): void => {
    // Only libraries have modules that are known later.
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
