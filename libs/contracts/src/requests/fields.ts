import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import * as rules from './field-rules';
import type { FieldRule, Presence, TextLimits } from './field-rules';

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
