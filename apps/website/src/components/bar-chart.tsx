import type { JSX } from 'preact';

interface BarChartProps {
  /** What is counted, for the table’s caption. */
  readonly caption: string;
  /** The heading of the names. */
  readonly heading: string;
  /** The heading of the values. */
  readonly unit?: string;
  readonly bars: readonly { readonly name: string; readonly value: number; readonly shown?: string }[];
}

/** The width of the longest bar, in the units of its SVG. */
const WIDTH = 100;

/** Horizontal bars in a table, which is their alternative in text. */
export function BarChart({ caption, heading, unit = 'Number', bars }: BarChartProps): JSX.Element {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <table class="bar-chart">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">{unit}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ name, value, shown = String(value) }) => (
          <tr>
            <th scope="row">
              <Breakable name={name} />
            </th>
            <td>
              {shown}
              <svg viewBox={`0 0 ${WIDTH} 4`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
                <rect width={(WIDTH * value) / most} height="4" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The name of a queue may be long; a line of it ends after a dot or an underscore. */
const Breakable = ({ name }: { readonly name: string }): JSX.Element => (
  <>
    {name.split(/(?<=[._])/).map((part, i) => (
      <>
        {i > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
);
