import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import * as rules from './field-rules';
import type { FieldRule, ListLimits, NumberLimits, Presence, TextLimits } from './field-rules';
import { convertField } from './read-request';

export { MAX_TAGS, toTagName } from './field-rules';

type Documented = Presence & { readonly description?: string };

/** One decorator a field: its rule for class-validator and its schema for OpenAPI, so that they can't differ. */
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
  );
}

/** A text; see `TextLimits`. */
export const Text = (options: Documented & TextLimits): PropertyDecorator =>
  field(rules.text(options), options, {
    type: String,
    minLength: options.min,
    maxLength: options.max,
    pattern: options.shape?.pattern.source,
  });

/** An e-mail address. */
export const Email = (options: Documented): PropertyDecorator =>
  field(rules.email(options), options, { type: String, format: 'email', maxLength: 254 });

/** One of the given words. */
export const Choice = (words: readonly string[], options: Documented = {}): PropertyDecorator =>
  field(rules.choice(options, words), options, { enum: words });

/** Some of the given words, at least one, none twice. */
export const Choices = (words: readonly string[], options: Documented = {}): PropertyDecorator =>
  field(rules.choices(options, words), options, {
    enum: words,
    isArray: true,
    minItems: 1,
    uniqueItems: true,
  });

/** A moment, RFC 3339. */
export const Instant = (options: Documented = {}): PropertyDecorator =>
  field(rules.instant(options), options, { type: String, format: 'date-time' });

/** A whole number; of digits too, as in a query string. */
export const WholeNumber = (
  options: Documented & NumberLimits & { readonly default?: number } = {},
): PropertyDecorator =>
  applyDecorators(
    convertField(rules.toWholeNumber),
    field(rules.wholeNumber(options), options, {
      type: 'integer',
      minimum: options.min,
      maximum: options.max,
      default: options.default,
    }),
  );

/** True or false; `1` and `0` too, as in a query string. */
export const Flag = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(convertField(rules.toFlag), field(rules.flag(options), options, { type: Boolean }));

/** `1` or `0` in a query string. */
export const QueryFlag = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    convertField(rules.toFlag),
    field(rules.flag(options), options, { type: String, enum: ['0', '1', 'true', 'false'] }),
  );

/** Numeric ids, none twice. */
export const Identifiers = (options: Documented & ListLimits): PropertyDecorator =>
  applyDecorators(
    convertField((value) => (Array.isArray(value) ? value.map(rules.toWholeNumber) : value)),
    field(rules.list(options, rules.wholeNumber({ required: true }), rules.toWholeNumber), options, {
      type: 'array',
      items: { type: 'integer' },
      minItems: options.minItems,
      maxItems: options.maxItems,
      uniqueItems: true,
    }),
  );

/** Slugs, none twice. */
export const Slugs = (options: Documented & ListLimits): PropertyDecorator =>
  field(rules.list(options, rules.text({ required: true, max: 7 })), options, {
    type: 'array',
    items: { type: 'string', maxLength: 7 },
    minItems: options.minItems,
    maxItems: options.maxItems,
    uniqueItems: true,
  });

/** Names of tags; they are kept in lowercase, each once. */
export const TagNames = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    convertField((value) => (Array.isArray(value) ? rules.toTagNames(value as string[]) : value)),
    field(rules.tagNames(options), options, {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 50 },
      maxItems: rules.MAX_TAGS,
    }),
  );

/** What names a thing: a slug, a username, or an id as a number or in digits; read as text. */
export const Reference = (options: Documented): PropertyDecorator =>
  applyDecorators(
    convertField(String),
    field(rules.reference(options), options, {
      oneOf: [{ type: 'string', maxLength: 100 }, { type: 'integer' }],
    }),
  );
