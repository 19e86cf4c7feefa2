import type { Mood } from './posts';

/** Top-level comments, by the kind of picture. */
export const REMARKS: Readonly<Record<Mood, readonly string[]>> = {
  place: [
    'I want to be there right now.',
    'The light in this one!',
    'How long did you wait for that?',
    'This is my new desktop background, thank you.',
    'The haze does all the work here. Lovely.',
    'Looks colder than it probably was.',
    'Would love to see the same view in winter.',
    'Quietest picture on the site today.',
  ],
  maths: [
    'How many iterations is that?',
    'I could stare at the edge for hours.',
    'The palette makes it. Did you pick it by hand?',
    'Mine never look this clean. Smooth colouring?',
    'Proof that maths is just weather for people who stay inside.',
    'Would print this. Large.',
    'Zoom in! Please zoom in!',
  ],
  pattern: [
    'My eyes keep finding letters in it.',
    'Is there a version that tiles?',
    'I would buy a cushion of this.',
    'Number two, no contest.',
    'The rhythm is great. Nearly musical.',
    'So that is what a rainy Sunday looks like.',
    'Used this as wrapping paper. It worked.',
  ],
  print: [
    'Hung it in the kitchen.',
    'What typeface is that?',
    'Reads well from across the street, and that is the point of a poster.',
    'Series, please. All the colours.',
    'I would go to that festival.',
  ],
  chart: [
    'Finally, an axis that starts at zero.',
    'Correlation, causation, tea.',
    'I have questions about Thursday.',
    'Where is the error bar? I want an error bar on this.',
    'Invented numbers, and still more honest than most.',
  ],
  motion: [
    'It loops so well that I missed my stop.',
    'Hypnotic.',
    'How is this so small a file?',
    'Where does it begin? No, do not tell me.',
    'Playing this on the office screen until somebody complains.',
  ],
};

/** Replies to these comments. */
export const REPLIES: readonly string[] = [
  'Thank you! It took longer than it should have.',
  'Agreed.',
  'Came here to say this.',
  'Not yet, but you have given me an idea.',
  'Same here.',
  'About forty tries. The forty-first was this.',
  'Ha, fair.',
  'I will try that at the weekend and post it.',
  'You are too kind.',
  'By hand, yes. It is a very slow joy.',
  'Seconded.',
];
