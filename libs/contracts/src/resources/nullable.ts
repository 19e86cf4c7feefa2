import { ApiProperty } from '@nestjs/swagger';

/** The rest of the description of a property. */
interface More {
  readonly format?: 'date-time' | 'uri' | 'email';
  readonly example?: string | null;
}

/** A text or null. */
export const NullableText = (description?: string, { format, ...more }: More = {}): PropertyDecorator =>
  ApiProperty({
    type: String,
    nullable: true,
    ...(format && { format }),
    ...more,
    ...(description !== undefined && { description }),
  });

/** A time or null. */
export const NullableTime = (description?: string, more: More = {}): PropertyDecorator =>
  NullableText(description, { format: 'date-time', ...more });
