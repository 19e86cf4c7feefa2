import type { Painter } from './pictures/drawing';
import { julia, mandelbrot, marble, type PixelPainter } from './pictures/fractals';
import { barChart, lineChart, poster, weave } from './pictures/graphics';
import { dunes, ridges, sea, skyline } from './pictures/landscapes';
import { type FramePainter, pulse, squares, swell } from './pictures/movies';
import type { PaletteName } from './pictures/palettes';
import { blocks, contours, flow, harmonograph, planet, seeds, truchet } from './pictures/patterns';
import type { Sketch } from './pictures/render';

/** What people say under a post. */
export type Mood = 'place' | 'maths' | 'pattern' | 'print' | 'chart' | 'motion';

/** A picture to be painted once its seed is known. */
export type Plan = { [Kind in keyof Kinds]: Kinds[Kind] }[keyof Kinds];
interface Kinds {
  readonly drawn: Unseeded<Extract<Sketch, { paint: Painter }>>;
  readonly pixels: Unseeded<Extract<Sketch, { pixels: PixelPainter }>>;
  readonly moving: Unseeded<Extract<Sketch, { frames: FramePainter }>>;
}
type Unseeded<Of> = Omit<Of, 'seed'>;

export interface DemoPost {
  readonly by: string;
  readonly title: string | null;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly mood: Mood;
  readonly visibility?: 'hidden' | 'private';
  readonly pictures: readonly Plan[];
}

const WIDE = { width: 1600, height: 1000 } as const;
const TALL = { width: 1000, height: 1400 } as const;
const SQUARE = { width: 1200, height: 1200 } as const;
const SMALL = { width: 480, height: 360 } as const;
const CLIP = { width: 854, height: 480 } as const;

const photo = (paint: Painter, palette: PaletteName, size = WIDE as Size): Plan => ({
  paint,
  palette,
  format: 'jpg',
  ...size,
});
const flat = (paint: Painter, palette: PaletteName, size = SQUARE as Size): Plan => ({
  paint,
  palette,
  format: 'png',
  ...size,
});
const soft = (paint: Painter, palette: PaletteName, size = SQUARE as Size): Plan => ({
  paint,
  palette,
  format: 'webp',
  ...size,
});
const pixels = (painter: PixelPainter, palette: PaletteName, format: 'jpg' | 'webp' = 'jpg'): Plan => ({
  pixels: painter,
  palette,
  format,
  width: 1280,
  height: 800,
});
const moving = (frames: FramePainter, palette: PaletteName, format: 'gif' | 'webp' | 'mp4'): Plan => ({
  frames,
  palette,
  format,
  ...(format === 'mp4' ? CLIP : SMALL),
});

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The oldest first. */
export const POSTS: readonly DemoPost[] = [
  {
    by: 'mara_lindqvist',
    title: 'First light over the Lower Sill',
    description: 'Seven ridges, if you count the one that hides in the mist.',
    tags: ['mountains', 'morning'],
    mood: 'place',
    pictures: [photo(ridges, 'dawn')],
  },
  {
    by: 'tobi',
    title: 'Seahorse valley, as everybody does',
    description: 'Everyone starts here. Coloured by escape time, smoothed.',
    tags: ['fractal', 'mandelbrot', 'maths'],
    mood: 'maths',
    pictures: [pixels(mandelbrot('seahorses'), 'candy')],
  },
  {
    by: 'harbourlight',
    title: 'Flat calm',
    tags: ['sea', 'sunset'],
    mood: 'place',
    pictures: [photo(sea, 'dusk')],
  },
  {
    by: 'otto_grid',
    title: 'Study in quarters, no. 1–4',
    description: 'One rule: no two neighbours may agree on everything.',
    tags: ['geometry', 'bauhaus', 'pattern'],
    mood: 'pattern',
    pictures: [flat(blocks, 'print'), flat(blocks, 'desert'), flat(blocks, 'ice'), flat(blocks, 'candy')],
  },
  {
    by: 'data_dora',
    title: 'Cups of tea a day, over one winter',
    description: 'The numbers are invented. The thirst was real.',
    tags: ['chart', 'data', 'tea'],
    mood: 'chart',
    pictures: [flat(lineChart('Cups of tea a day', 'green', 'black', 'peppermint'), 'forest', WIDE)],
  },
  {
    by: 'nilay',
    title: 'Topography of a cushion',
    tags: ['map', 'contours'],
    mood: 'pattern',
    pictures: [flat(contours, 'forest', WIDE)],
  },
  {
    by: 'kepler22',
    title: 'Postcard from the second moon',
    description: 'Wish you were here. The gravity is lovely.',
    tags: ['space', 'planet'],
    mood: 'place',
    pictures: [photo(planet, 'night')],
  },
  {
    by: 'june',
    title: 'Draft for a scarf',
    description: 'Repeat ×12, then bind off. Eight colours of leftover wool work best; four will do.',
    tags: ['knitting', 'pattern'],
    mood: 'pattern',
    pictures: [flat(weave, 'moss')],
  },
  {
    by: 'loop_de_loop',
    title: 'breathe',
    tags: ['animation', 'loop', 'gif'],
    mood: 'motion',
    pictures: [moving(pulse, 'sea', 'gif')],
  },
  {
    by: 'sol_prints',
    title: 'NO WIND TODAY',
    tags: ['poster', 'typography'],
    mood: 'print',
    pictures: [flat(poster('NO', 'WIND', 'TODAY'), 'desert', TALL)],
  },
  {
    by: 'pendulum',
    title: 'Two minutes of swinging',
    tags: ['harmonograph', 'maths'],
    mood: 'maths',
    pictures: [soft(harmonograph, 'dawn')],
  },
  {
    by: 'mara_lindqvist',
    title: 'The same valley, three evenings',
    description: 'Monday, Tuesday, and the Thursday when it finally cleared.',
    tags: ['mountains', 'evening', 'album'],
    mood: 'place',
    pictures: [photo(ridges, 'dusk'), photo(ridges, 'candy'), photo(ridges, 'desert')],
  },
  {
    by: 'tobi',
    title: 'Julia, four ways',
    tags: ['fractal', 'julia', 'maths', 'album'],
    mood: 'maths',
    pictures: [
      pixels(julia('lightning'), 'sea'),
      pixels(julia('spirals'), 'desert'),
      pixels(julia('rabbits'), 'night', 'webp'),
      pixels(julia('dust'), 'forest'),
    ],
  },
  {
    by: 'harbourlight',
    title: 'Red sky at night',
    description: 'You know what they say.',
    tags: ['sea', 'sunset', 'red'],
    mood: 'place',
    pictures: [photo(sea, 'desert')],
  },
  {
    by: 'otto_grid',
    title: 'Truchet tiles, left to themselves',
    tags: ['geometry', 'truchet', 'pattern'],
    mood: 'pattern',
    pictures: [flat(truchet, 'sea')],
  },
  {
    by: 'kepler22',
    title: 'Downtown, before the trams',
    tags: ['city', 'night'],
    mood: 'place',
    pictures: [photo(skyline, 'night')],
  },
  {
    by: 'june',
    title: 'Sunflower arithmetic',
    description: '900 seeds, 137.5° apart. Nature does this without a computer.',
    tags: ['maths', 'phyllotaxis', 'pattern'],
    mood: 'maths',
    pictures: [soft(seeds, 'moss')],
  },
  {
    by: 'data_dora',
    title: 'What the office plants need most',
    tags: ['chart', 'data', 'plants'],
    mood: 'chart',
    pictures: [
      flat(barChart('What the office plants need', 'Water', 'Light', 'Quiet', 'Talk', 'Music'), 'moss', WIDE),
    ],
  },
  {
    by: 'sol_prints',
    title: 'Posters for a festival of small machines',
    description: 'A series. The festival is imaginary, tickets are sold out.',
    tags: ['poster', 'typography', 'series', 'album'],
    mood: 'print',
    pictures: [
      flat(poster('SMALL', 'MACHINES'), 'print', TALL),
      flat(poster('WIND', 'IT UP'), 'candy', TALL),
      flat(poster('TICK', 'TOCK'), 'ice', TALL),
    ],
  },
  {
    by: 'loop_de_loop',
    title: 'Swell',
    description: 'Five seconds, then the same five seconds.',
    tags: ['animation', 'loop', 'video'],
    mood: 'motion',
    pictures: [moving(swell, 'sea', 'mp4')],
  },
  {
    by: 'nilay',
    title: 'Three islands nobody has landed on',
    tags: ['map', 'contours', 'islands', 'album'],
    mood: 'pattern',
    pictures: [flat(contours, 'sea', WIDE), flat(contours, 'desert', WIDE), flat(contours, 'moss', WIDE)],
  },
  {
    by: 'mara_lindqvist',
    title: 'Dry country',
    tags: ['desert', 'dunes'],
    mood: 'place',
    pictures: [photo(dunes, 'desert')],
  },
  {
    by: 'pendulum',
    title: null,
    tags: ['harmonograph'],
    mood: 'maths',
    pictures: [soft(harmonograph, 'candy')],
  },
  {
    by: 'tobi',
    title: 'Marble that was never quarried',
    tags: ['noise', 'texture', 'maths'],
    mood: 'maths',
    pictures: [pixels(marble, 'ice'), pixels(marble, 'forest')],
  },
  {
    by: 'otto_grid',
    title: 'Wind tunnel',
    description: 'Six hundred threads, one wind.',
    tags: ['flow', 'lines', 'generative'],
    mood: 'pattern',
    pictures: [photo(flow, 'dusk')],
  },
  {
    by: 'harbourlight',
    title: 'Drafts for the calendar',
    description: 'Not decided yet. Only for those who have the link.',
    tags: ['sea', 'calendar'],
    mood: 'place',
    visibility: 'hidden',
    pictures: [photo(sea, 'sea'), photo(sea, 'dawn')],
  },
  {
    by: 'loop_de_loop',
    title: 'Squares do the waltz',
    tags: ['animation', 'loop', 'geometry'],
    mood: 'motion',
    pictures: [moving(squares, 'print', 'webp')],
  },
  {
    by: 'kepler22',
    title: 'Ring system, catalogue',
    tags: ['space', 'planet', 'album'],
    mood: 'place',
    pictures: [photo(planet, 'dusk'), photo(planet, 'ice'), photo(planet, 'desert')],
  },
  {
    by: 'june',
    title: 'Blanket for a cold reader',
    tags: ['knitting', 'pattern', 'winter'],
    mood: 'pattern',
    pictures: [flat(weave, 'ice'), flat(weave, 'candy')],
  },
  {
    by: 'data_dora',
    title: 'Queue at the bakery, hour by hour',
    tags: ['chart', 'data', 'bread'],
    mood: 'chart',
    pictures: [flat(lineChart('Waiting at the bakery (minutes)', 'Saturday', 'weekdays'), 'dusk', WIDE)],
  },
  {
    by: 'sol_prints',
    title: 'STAY CURIOUS',
    tags: ['poster', 'typography'],
    mood: 'print',
    pictures: [flat(poster('STAY', 'CURIOUS'), 'sea', TALL)],
  },
  {
    by: 'mara_lindqvist',
    title: 'For the family album',
    tags: ['mountains'],
    mood: 'place',
    visibility: 'private',
    pictures: [photo(ridges, 'ice'), photo(dunes, 'dusk')],
  },
  {
    by: 'nilay',
    title: 'Where the river would go',
    tags: ['flow', 'map', 'generative'],
    mood: 'pattern',
    pictures: [photo(flow, 'sea')],
  },
  {
    by: 'tobi',
    title: 'The whole set, for once',
    description: 'No zoom. It fits on a postcard.',
    tags: ['fractal', 'mandelbrot', 'maths'],
    mood: 'maths',
    pictures: [pixels(mandelbrot('whole'), 'night')],
  },
  {
    by: 'otto_grid',
    title: 'Truchet in print colours',
    tags: ['geometry', 'truchet', 'pattern'],
    mood: 'pattern',
    pictures: [flat(truchet, 'print')],
  },
  {
    by: 'harbourlight',
    title: 'Last ferry',
    tags: ['sea', 'night', 'harbour'],
    mood: 'place',
    pictures: [photo(sea, 'night')],
  },
  {
    by: 'pendulum',
    title: 'Slower',
    tags: ['harmonograph', 'maths'],
    mood: 'maths',
    pictures: [soft(harmonograph, 'ice')],
  },
  {
    by: 'kepler22',
    title: 'City without a name',
    tags: ['city', 'night', 'evening'],
    mood: 'place',
    pictures: [photo(skyline, 'dusk'), photo(skyline, 'sea')],
  },
  {
    by: 'loop_de_loop',
    title: 'breathe, louder',
    tags: ['animation', 'loop', 'video'],
    mood: 'motion',
    pictures: [moving(pulse, 'candy', 'mp4')],
  },
  {
    by: 'june',
    title: 'Seed head, frosted',
    tags: ['phyllotaxis', 'winter', 'maths'],
    mood: 'maths',
    pictures: [soft(seeds, 'ice')],
  },
  {
    by: 'data_dora',
    title: 'Planned, not published',
    tags: ['chart'],
    mood: 'chart',
    visibility: 'private',
    pictures: [
      flat(barChart('Ideas by weekday', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'), 'dusk', WIDE),
    ],
  },
  {
    by: 'sol_prints',
    title: 'BREAD & WEATHER',
    description: 'For a magazine that ran to one issue.',
    tags: ['poster', 'typography', 'bread'],
    mood: 'print',
    pictures: [flat(poster('BREAD', '& WEATHER'), 'forest', TALL)],
  },
];
