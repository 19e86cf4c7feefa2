import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PageLinksResource, PageMetaResource } from '@vitrine/contracts/api';

/** A resource class, or in brackets a list of it. */
type Resource = Type<unknown> | readonly [Type<unknown>];

/**
 * The successful answer of a route. Sets the status and documents it, so that they can't differ. Errors are derived from the
 * route's access rule, its path and its parameters.
 */
export const Answers = (status: 200 | 201 | 202, type: Type<unknown>, description: string): MethodDecorator =>
  applyDecorators(HttpCode(status), ApiResponse({ status, type, description }));

/** 200 with the resource, or a list of it, under `data`. */
export const AnswersData = (resource: Resource, description: string): MethodDecorator =>
  answersObject(description, [itemOf(resource)], { data: schemaOf(resource) });

/** 200 with one page of a list: the items under `data`, with `links` and `meta`. */
export const AnswersPage = (
  item: Type<unknown>,
  description: string,
  more: Record<string, object> = {},
): MethodDecorator =>
  answersObject(description, [item, ...PAGE_MODELS], { data: schemaOf([item]), ...page(), ...more });

/** 200 with one resource under `data`, and the `links` and `meta` of a list inside it. */
export const AnswersDataWithPages = (resource: Type<unknown>, description: string): MethodDecorator =>
  answersObject(description, [resource, ...PAGE_MODELS], { data: schemaOf(resource), ...page() });

const PAGE_MODELS = [PageLinksResource, PageMetaResource];

const page = (): Record<string, object> => ({
  links: schemaOf(PageLinksResource),
  meta: schemaOf(PageMetaResource),
});

function answersObject(
  description: string,
  models: readonly Type<unknown>[],
  properties: Record<string, object>,
): MethodDecorator {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return applyDecorators(
    HttpCode(200),
    ApiExtraModels(...models),
    ApiResponse({ status: 200, description, schema }),
  );
}

const itemOf = (resource: Resource): Type<unknown> =>
  typeof resource === 'function' ? resource : resource[0];

const schemaOf = (resource: Resource): object =>
  typeof resource === 'function'
    ? { $ref: getSchemaPath(resource) }
    : { type: 'array', items: { $ref: getSchemaPath(resource[0]) } };
