import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import * as rules from './field-rules';
import type { FieldRule, ListLimits, NumberLimits, Presence, TextLimits } from './field-rules';
import { convertField, textField } from './read-request';

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
  applyDecorators(
    textField(options.max),
    field(rules.text(options), options, {
      type: String,
      minLength: options.min,
      maxLength: options.max,
      pattern: options.shape?.pattern.source ?? rules.charactersOf(options),
    }),
  );

/** An e-mail address. */
export const Email = (options: Documented): PropertyDecorator =>
  applyDecorators(
    textField(rules.MAX_EMAIL),
    field(rules.email(options), options, { type: String, format: 'email', maxLength: rules.MAX_EMAIL }),
  );

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

const MAX_SLUG = 7;

/** Slugs, none twice. */
export const Slugs = (options: Documented & ListLimits): PropertyDecorator =>
  applyDecorators(
    textField(MAX_SLUG),
    field(rules.list(options, rules.text({ required: true, max: MAX_SLUG })), options, {
      type: 'array',
      items: { type: 'string', maxLength: MAX_SLUG },
      minItems: options.minItems,
      maxItems: options.maxItems,
      uniqueItems: true,
    }),
  );

/** Slugs in a query string, separated by commas; each is kept once, in the order of its first place. */
export const SlugList = (options: Documented & { readonly max: number }): PropertyDecorator =>
  applyDecorators(
    convertField((value) => (typeof value === 'string' ? rules.toSlugs(value) : value)),
    field(rules.slugList(options, options.max), options, { type: String, example: 'aB3dE5f,gH7iJ9k' }),
  );

/** Names of tags; they are kept in lowercase, each once. */
export const TagNames = (options: Documented = {}): PropertyDecorator =>
  applyDecorators(
    textField(rules.MAX_TAG_NAME),
    convertField((value) => (Array.isArray(value) ? rules.toTagNames(value as string[]) : value)),
    field(rules.tagNames(options), options, {
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: rules.MAX_TAG_NAME,
        pattern: rules.TAG_NAME_PATTERN.source,
      },
      maxItems: rules.MAX_TAGS,
    }),
  );

/** What names a thing: a slug, a username, or an id as a number or in digits; read as text. */
export const Reference = (options: Documented): PropertyDecorator =>
  applyDecorators(
    textField(rules.MAX_REFERENCE),
    convertField(String),
    field(rules.reference(options), options, {
      oneOf: [{ type: 'string', maxLength: rules.MAX_REFERENCE }, { type: 'integer' }],
    }),
  );
