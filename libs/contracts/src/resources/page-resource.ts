import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from './nullable';

/** Addresses of a list's pages; they keep every parameter of the request. */
export class PageLinksResource {
  @ApiProperty({ format: 'uri' })
  first!: string;

  @ApiProperty({ format: 'uri' })
  last!: string;

  @NullableText(undefined, { format: 'uri' })
  prev!: string | null;

  @NullableText(undefined, { format: 'uri' })
  next!: string | null;
}

/** The position of a page in its list. */
export class PageMetaResource {
  @ApiProperty({ type: 'integer', example: 1 })
  current_page!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Position of the first item; null on an empty page.',
  })
  from!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Position of the last item; null on an empty page.',
  })
  to!: number | null;

  @ApiProperty({ type: 'integer', example: 10 })
  per_page!: number;

  @ApiProperty({ type: 'integer', description: 'Number of items in the whole list.' })
  total!: number;

  @ApiProperty({ type: 'integer', description: 'Number of the last page; 1 if the list is empty.' })
  last_page!: number;

  @ApiProperty({ format: 'uri', description: 'URL of the list without query parameters.' })
  path!: string;
}

/** One page of a list. */
export interface PageResource<Item> {
  readonly data: readonly Item[];
  readonly links: PageLinksResource;
  readonly meta: PageMetaResource;
}
