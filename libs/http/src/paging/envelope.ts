import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { PageLinksResource, PageMetaResource, PageResource } from '@vitrine/contracts/api';
import type { Request } from 'express';
import { API_PREFIX } from '../config/api-prefix';

/** Characters that a URL may not contain, and that some clients send unescaped. */
const NOT_OF_A_URL = /[^\x21-\x7e]/g;

/** The part of a request's address that an envelope needs. */
export interface RequestedAddress {
  /** Path below the API's prefix. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
}

/** The address of the request, for `presentPage`. */
export const CurrentAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestedAddress => {
    const { originalUrl, path } = context.switchToHttp().getRequest<Request>();
    const query = originalUrl.indexOf('?') + 1;
    return {
      path: path.slice(API_PREFIX.length + 1).replace(NOT_OF_A_URL, encodeURIComponent),
      query: query === 0 ? '' : originalUrl.slice(query),
    };
  },
);

/** The position of a page in its list. */
export interface PagePosition {
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
  /** The number of items in the whole list. */
  readonly total: number;
}

export interface EnvelopeOptions {
  /** The public address of the API with its prefix, without a slash at the end. */
  readonly api: string;
  readonly address: RequestedAddress;
  /** Parameters that the links have although the request had none, such as a seed that was chosen for it. */
  readonly carry?: Readonly<Record<string, string>>;
  /** Name of the parameter that holds the page's number. */
  readonly pageParameter?: string;
}

/** One page of a list in the envelope of the API. Its links keep every parameter of the request. */
export const presentPage = <Item>(
  data: readonly Item[],
  position: PagePosition,
  options: EnvelopeOptions,
): PageResource<Item> => ({ data, ...presentPosition(data.length, position, options) });

/** The links and numbers of a page of `items` items. */
export function presentPosition(
  items: number,
  { page, limit, total }: PagePosition,
  { api, address, carry = {}, pageParameter = 'page' }: EnvelopeOptions,
): { readonly links: PageLinksResource; readonly meta: PageMetaResource } {
  const path = api + address.path;
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const from = items === 0 ? null : (page - 1) * limit + 1;
  const query = new URLSearchParams(address.query);
  for (const [name, value] of Object.entries(carry)) query.set(name, value);
  const link = (number: number): string => {
    query.set(pageParameter, String(number));
    return `${path}?${query.toString()}`;
  };
  return {
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      to: from === null ? null : from + items - 1,
      per_page: limit,
      total,
      last_page: lastPage,
      path,
    },
  };
}
