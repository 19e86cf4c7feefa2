import type { JSX } from 'preact';
import { sizeInWords } from '../components/words';

interface GrowthChartProps {
  /** Oldest first, without gaps. Numbers are negative where more was deleted than added. */
  readonly days: readonly { readonly day: string; readonly files: number; readonly bytes: number }[];
}

/** The space of one day in the units of the SVG, and the part of it that its bar takes. */
const STEP = 4;
const BAR = 3;
const HEIGHT = 100;
/** So that a day with a small change doesn’t look like one without. */
const MIN_BAR_HEIGHT = 1;

/** Bars up for days that added bytes and down for days that removed some, with a table as their alternative in text. */
export function GrowthChart({ days }: GrowthChartProps): JSX.Element {
  const changed = days.filter(({ bytes, files }) => bytes !== 0 || files !== 0);
  const [first, last] = [days[0], days.at(-1)];
  if (changed.length === 0 || !first || !last) return <p class="quiet">Nothing was added or deleted.</p>;
  const most = Math.max(0, ...days.map(({ bytes }) => bytes));
  const least = Math.min(0, ...days.map(({ bytes }) => bytes));
  const scale = HEIGHT / Math.max(1, most - least);
  const sum = days.reduce((bytes, day) => bytes + day.bytes, 0);
  return (
    <>
      <p>
        {signedSize(sum)} since {first.day}, at most {signedSize(most)} in a day.
      </p>
      <figure class="growth-chart">
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <line x1="0" x2={days.length * STEP} y1={most * scale} y2={most * scale} />
          {days.map(({ day, bytes }, index) => {
            if (bytes === 0) return null;
            const height = Math.max(MIN_BAR_HEIGHT, Math.abs(bytes) * scale);
            return (
              <rect
                class={bytes < 0 ? 'shrunk' : undefined}
                x={index * STEP}
                y={bytes < 0 ? Math.min(most * scale, HEIGHT - height) : Math.max(0, most * scale - height)}
                width={BAR}
                height={height}
              >
                <title>{`${day}: ${signedSize(bytes)}`}</title>
              </rect>
            );
          })}
        </svg>
        <figcaption class="small quiet">
          <span>{first.day}</span>
          <span>{last.day}</span>
        </figcaption>
      </figure>
      <details>
        <summary>Growth as a table</summary>
        <table class="storage-table">
          <caption>Days on which files were added or deleted, the latest first</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Size</th>
              <th scope="col">Files</th>
            </tr>
          </thead>
          <tbody>
            {changed.toReversed().map(({ day, bytes, files }) => (
              <tr>
                <th scope="row">{day}</th>
                <td>{signedSize(bytes)}</td>
                <td>{signed(files, String(Math.abs(files)))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

const signed = (value: number, size: string): string => `${value < 0 ? '−' : value > 0 ? '+' : ''}${size}`;
const signedSize = (bytes: number): string => signed(bytes, sizeInWords(Math.abs(bytes)));
