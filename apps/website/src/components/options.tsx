import type { JSX } from 'preact';

interface OptionsProps {
  /** Values with their words. */
  readonly of: readonly (readonly [value: string, words: string])[];
  readonly chosen: string | undefined;
}

/** The options of a `<select>`. */
export const Options = ({ of, chosen }: OptionsProps): JSX.Element => (
  <>
    {of.map(([value, words]) => (
      <option value={value} selected={value === chosen}>
        {words}
      </option>
    ))}
  </>
);
