import type { PaletteName } from './pictures/palettes';

export interface DemoPerson {
  readonly username: string;
  readonly bio: string | null;
  readonly palette: PaletteName;
  readonly role?: 'moderator';
}

/** The people of the demo site, who are invented. */
export const PEOPLE: readonly DemoPerson[] = [
  {
    username: 'mara_lindqvist',
    bio: 'Ridges, weather, and the long way round. I draw places that I would like to walk in.',
    palette: 'dusk',
  },
  { username: 'tobi', bio: 'Fractals before breakfast.', palette: 'candy' },
  { username: 'harbourlight', bio: 'Mostly water. Mostly evening.', palette: 'sea' },
  { username: 'otto_grid', bio: 'Squares, discs, quarter circles. Prints on request.', palette: 'print' },
  { username: 'june', bio: 'Knits by day, plots by night.\nPatterns are free to use.', palette: 'moss' },
  { username: 'nilay', bio: 'Map person. If it has height lines, I will follow you.', palette: 'forest' },
  { username: 'sol_prints', bio: 'Posters for things that may not exist.', palette: 'desert' },
  { username: 'kepler22', bio: 'Small planets, large rings.', palette: 'night' },
  { username: 'data_dora', bio: 'Charts with invented numbers and honest axes.', palette: 'ice' },
  { username: 'loop_de_loop', bio: 'Everything I make ends where it began.', palette: 'candy' },
  { username: 'pendulum', bio: null, palette: 'dawn' },
  {
    username: 'ines_moderates',
    bio: 'I look after this place. Report things rather than fighting about them.',
    palette: 'ice',
    role: 'moderator',
  },
];
