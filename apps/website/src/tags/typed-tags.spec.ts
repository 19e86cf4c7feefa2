import fc from 'fast-check';
import { typedTags } from './typed-tags';

describe('typedTags', () => {
  it('splits tags at commas and line breaks and removes #', () => {
    expect(typedTags('Harbour, #night,, long exposure ,\n # sea,')).toEqual([
      'Harbour',
      'night',
      'long exposure',
      'sea',
    ]);
    expect(typedTags('港，夜、 ## sea')).toEqual(['港', '夜', 'sea']);
    expect(typedTags('')).toEqual([]);
    expect(typedTags(' , #, ##')).toEqual([]);
  });

  it('returns the tags with which a field was filled', () => {
    const tag = fc.stringMatching(/^[a-z0-9](?:[a-z0-9_ -]{0,10}[a-z0-9])?$/);
    fc.assert(
      fc.property(fc.array(tag), (tags) => {
        expect(typedTags(tags.join(', '))).toEqual(tags);
      }),
    );
  });
});
