import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { PLAIN_PREFIX } from '../../src/dialects/dialect-requests';
import { DialectsModule } from '../../src/dialects/dialects.module';

/** A route of a dialect. Its parameters are filled with `1`. */
export interface DialectRoute {
  readonly method: string;
  readonly path: string;
}

const pathsOf = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) as string].flat();

/** Every route of the controllers of `DialectsModule`, which the OpenAPI document doesn't describe. */
export function dialectRoutes(): readonly DialectRoute[] {
  const controllers = Reflect.getMetadata(
    MODULE_METADATA.CONTROLLERS,
    DialectsModule,
  ) as (new () => object)[];
  return controllers.flatMap((controller) => {
    const [prefix = ''] = pathsOf(controller);
    const handlers = Object.values(Object.getOwnPropertyDescriptors(controller.prototype))
      .map(({ value }: { value?: unknown }) => value)
      .filter((value) => typeof value === 'function')
      .filter((value) => Reflect.hasMetadata(METHOD_METADATA, value));
    return handlers.flatMap((handler) => {
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number] ?? '';
      return pathsOf(handler).map((own) => ({ method, path: addressOf(`/${prefix}/${own}`) }));
    });
  });
}

const addressOf = (route: string): string =>
  route
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
    .replace(/:\w+/g, '1')
    .replace(PLAIN_PREFIX, '/');
