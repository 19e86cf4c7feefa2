import { createParamDecorator, type ExecutionContext, Injectable, type PipeTransform } from '@nestjs/common';
import type { PageLinksResource, PageMetaResource, PageResource } from '@vitrine/contracts/api';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Request } from 'express';
import { API_PREFIX } from '../config/api-prefix';

/** Characters that a URL may not contain, and that some clients send unescaped. */
const NOT_OF_A_URL = /[^\x21-\x7e]/g;

/** The part of a request's address that an envelope needs. */
interface RequestedPath {
  /** Path below the API's prefix. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
}

/** The public address of a request, without its query, and the query as it was sent. */
export interface RequestedAddress {
  readonly url: string;
  readonly query: string;
}

/** Completes a path with the public address of the API. */
@Injectable()
export class PublicAddressPipe implements PipeTransform<RequestedPath, RequestedAddress> {
  constructor(private readonly urls: PublicUrlsConfig) {}

  transform({ path, query }: RequestedPath): RequestedAddress {
    return { url: this.urls.api + path, query };
  }
}

const CurrentPath = createParamDecorator((_: unknown, context: ExecutionContext): RequestedPath => {
  const { originalUrl, path } = context.switchToHttp().getRequest<Request>();
  const query = originalUrl.indexOf('?') + 1;
  return {
    path: path.slice(API_PREFIX.length + 1).replace(NOT_OF_A_URL, encodeURIComponent),
    query: query === 0 ? '' : originalUrl.slice(query),
  };
});

/** The address of the request, for `presentPage`. */
export const CurrentAddress = (): ParameterDecorator => CurrentPath(PublicAddressPipe);

/** The position of a page in its list. */
export interface PagePosition {
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
  /** The number of items in the whole list. */
  readonly total: number;
}

export interface PageLinkOptions {
  /** Parameters that the links have although the request had none, such as a seed that was chosen for it. */
  readonly carry?: Readonly<Record<string, string>>;
  /** Name of the parameter that holds the page's number. */
  readonly pageParameter?: string;
}

/** One page of a list in the envelope of the API. Its links keep every parameter of the request. */
export const presentPage = <Item>(
  data: readonly Item[],
  position: PagePosition,
  address: RequestedAddress,
  options: PageLinkOptions = {},
): PageResource<Item> => ({ data, ...presentPosition(data.length, position, address, options) });

/** The links and numbers of a page of `items` items. */
export function presentPosition(
  items: number,
  { page, limit, total }: PagePosition,
  address: RequestedAddress,
  { carry = {}, pageParameter = 'page' }: PageLinkOptions = {},
): { readonly links: PageLinksResource; readonly meta: PageMetaResource } {
  const lastPage = Math.max(1, Math.ceil(total / limit));
  const from = items === 0 ? null : (page - 1) * limit + 1;
  const query = new URLSearchParams(address.query);
  for (const [name, value] of Object.entries(carry)) query.set(name, value);
  const link = (number: number): string => {
    query.set(pageParameter, String(number));
    return `${address.url}?${query.toString()}`;
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
      path: address.url,
    },
  };
}
