import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { isBlank, toTagNames } from '../vocabulary/texts';
import { SLUG_PATTERN } from '../vocabulary/identifiers';
import { MAX_LENGTHS, MAX_TAG_LENGTH, MAX_TAGS } from '../vocabulary/limits';
import * as rules from './field-rules';
import type { FieldRule, ListLimits, NumberLimits, Presence, TextLimits } from './field-rules';
import { convertField, flagField, listField, nullableField, textField } from './read-request';

export { toFlag, toFormFlag } from './field-rules';

/** The schema of an id in a body. No item has another one. */
const ID = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

type Documented = Presence & { readonly description?: string };

/** Decorates a field with its rule for class-validator and its schema for OpenAPI, so that they cannot differ. */
function field(
  rule: FieldRule,
  { required, nullable, description }: Documented,
  schema: object,
): PropertyDecorator {
  return applyDecorators(
    ValidateBy({
      name: 'field',
      validator: {
        validate: (value, args) => rule(args?.property ?? '', value) === null,
        defaultMessage: (args) => rule(args?.property ?? '', args?.value) ?? '',
      },
    }),
    ApiProperty({
      required: required ?? false,
      nullable: nullable ?? false,
      description,
      ...schema,
    } as ApiPropertyOptions),
    ...(nullable ? [nullableField] : []),
  );
}

/** A text; see `TextLimits`. */
export const Text = (options: Documented & TextLimits): PropertyDecorator =>
  applyDecorators(
    textField(options.max),
    field(rules.text(options), options, {
      type: String,
      minLength: options.min,
      maxLength: options.max,
      pattern: options.shape?.pattern.source ?? rules.charactersOf(options),
    }),
  );

/** A text for people that may be null. One that shows nothing becomes null. */
export const OptionalText = (options: TextLimits & { readonly description?: string }): PropertyDecorator =>
  applyDecorators(
    Text({ ...options, nullable: true }),
    convertField((value) => (isBlank(value as string) ? null : value)),
  );

/** Bytes in base64url without padding; `max` counts characters. */
export const Bytes = (options: Documented & { readonly max: number }): PropertyDecorator =>
  Text({ ...options, shape: { pattern: /^[A-Za-z0-9_-]+$/, must: 'be in base64url' } });

/** An email address. */
export const Email = (options: Documented): PropertyDecorator =>
  applyDecorators(
    textField(MAX_LENGTHS.email),
    field(rules.email(options), options, { type: String, format: 'email', maxLength: MAX_LENGTHS.email }),
  );

/** One of the given words. */
export const Choice = (words: readonly string[], options: Documented = {}): PropertyDecorator =>
  field(rules.choice(options, words), options, { enum: words });

/** One or more of the given words, each at most once. */
export const Choices = (words: readonly string[], options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    listField,
    field(rules.choices(options, words), options, {
      enum: words,
      isArray: true,
      minItems: 1,
      maxItems: words.length,
      uniqueItems: true,
    }),
  );

/** A date and time, in the format of RFC 3339. */
export const Instant = (options: Documented = {}): PropertyDecorator =>
  field(rules.instant(options), options, {
    type: String,
    format: 'date-time',
    maxLength: rules.MAX_INSTANT,
  });

/** A whole number, or its decimal digits as in a query string. */
export const WholeNumber = (
  options: Documented & NumberLimits & { readonly default?: number } = {},
): PropertyDecorator =>
  applyDecorators(
    convertField(rules.toWholeNumber),
    field(rules.wholeNumber(options), options, {
      type: 'integer',
      minimum: options.min ?? Number.MIN_SAFE_INTEGER,
      maximum: options.max ?? Number.MAX_SAFE_INTEGER,
      default: options.default,
    }),
  );

/** True or false, or `1` and `0` as in a query string. */
export const Flag = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    flagField,
    convertField(rules.toFlag),
    field(rules.flag(options), options, { type: Boolean }),
  );

/** `1` or `0` in a query string. */
export const QueryFlag = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    flagField,
    convertField(rules.toFlag),
    field(rules.flag(options), options, { type: String, enum: ['0', '1', 'true', 'false'] }),
  );

/** Ids and slugs of items, each at most once. */
export const IdsOrSlugs = (options: Documented & ListLimits): PropertyDecorator =>
  applyDecorators(
    listField,
    convertField((value) => (Array.isArray(value) ? value.map(rules.toIdOrSlug) : value)),
    field(rules.list(options, rules.idOrSlug, rules.toIdOrSlug), options, {
      type: 'array',
      items: { oneOf: [ID, { type: 'string', pattern: SLUG_PATTERN }] },
      minItems: options.minItems,
      maxItems: options.maxItems,
      uniqueItems: true,
    }),
  );

/** Slugs in a query string, separated by commas. Duplicates are removed; the order stays. */
export const SlugList = (options: Documented & { readonly max: number }): PropertyDecorator =>
  applyDecorators(
    convertField((value) => (typeof value === 'string' ? rules.toSlugs(value) : value)),
    field(rules.slugList(options, options.max), options, {
      type: String,
      maxLength: rules.longestSlugList(options.max),
      pattern: rules.charactersOf(),
      example: 'aB3dE5f,gH7iJ9k',
    }),
  );

/** Names of tags. They are stored in lowercase, without duplicates. */
export const TagNames = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    listField,
    textField(MAX_TAG_LENGTH),
    convertField((value) => (Array.isArray(value) ? toTagNames(value as string[]) : value)),
    field(rules.tagNames(options), options, {
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_TAG_LENGTH,
        // No pattern: most tools read one without the flag `u`, which this one needs.
        description:
          'Consists of Unicode letters, marks and numbers, `-`, `_` and spaces, and not only of spaces.',
      },
      maxItems: MAX_TAGS,
    }),
  );

/** A reference to an item: a slug, a username, or an id as a number or in digits. It is read as text. */
export const Reference = (options: Documented): PropertyDecorator =>
  applyDecorators(
    textField(rules.MAX_REFERENCE),
    convertField(String),
    field(rules.reference(options), options, {
      oneOf: [{ type: 'string', maxLength: rules.MAX_REFERENCE, pattern: rules.charactersOf() }, ID],
    }),
  );
