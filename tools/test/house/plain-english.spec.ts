import { BANNED_PHRASES, bannedIn } from './plain-english';
import { read, trackedFiles } from './tracked-files';

const TEXT = /\.(?:[cm]?tsx?|[cm]?js|css|sql|md|json|ya?ml|sh)$|(?:^|\/)Dockerfile$/;
/** Merged migrations are not rewritten; the list itself quotes what it bans. */
const EXCEPT =
  /^(?:package-lock\.json|libs\/database\/src\/migrations\/|tools\/test\/house\/plain-english\.)/;

describe('the texts of the repository', () => {
  it('use none of the phrases that the list bans', () => {
    const texts = trackedFiles().filter((path) => TEXT.test(path) && !EXCEPT.test(path));
    expect(texts.length).toBeGreaterThan(1000);
    expect(texts.flatMap((path) => bannedIn(read(path)).map((found) => `${path}:${found}`))).toEqual([]);
  });
});

describe('the list of banned phrases', () => {
  it.each([
    ['// Nothing else: whoever asks, gets it.', 'whoever'],
    ['Following oneself is an error.', 'oneself'],
    ['Once more takes the upvote back.', 'Once more'],
    ['it("knows nobody by a name that is not used any more")', 'nobody by a name that is not used any more'],
    ['Of an unknown tag there is nothing of interest.', 'Of an unknown'],
    ['When a media is deleted', 'a media'],
    [' * See decisions §4.2.', 'decisions §'],
    ['// Throws where the file is gone.', 'Throws where'],
    ['/** The type of a body where a test says nothing else. */', 'where a test says'],
    ['throws if the answer isn’t as docs/openapi.json has it.', 'as docs/openapi.json has it'],
    ['every payload is held against it', 'held against'],
    ['503 while the storage is away', 'the storage is away'],
    ['// facts: 14 of 20 files', 'facts:'],
    ['Runs in a thread of its own, because it blocks.', 'in a thread of its own'],
    ['a cache of things under way', 'under way'],
    ['Names are resolved by DNS alone.', 'by DNS alone'],
    ['An outage costs no try.', 'costs no try'],
    ['It must run on the schema of the release before.', 'the release before'],
    ['The pipe closes, for whatever reason.', 'for whatever reason'],
    ['Severity: page where no pod answers', 'page where'],
    ['The file is no JPEG XL.', 'is no JPEG'],
    ['Each process has a port of its own.', 'of its own'],
    ['A message fails all its tries.', 'its tries'],
  ])('finds the phrase in %s', (line, expected) => {
    const [found = ''] = bannedIn(`first line\n${line}`);
    expect(found).toContain(expected);
    expect(found).toMatch(/^2: ".*" \(write: .+\)$/);
  });

  it.each([
    'Only the owner may do this. Omitted fields stay unchanged.',
    'When a media item is deleted, its media pages are gone.',
    'const facts: Facts = read(path);',
    'someoneself',
    'A slug is removed after the cleaning of its own objects.',
    'There is no picture in this file.',
  ])('accepts %s', (line) => {
    expect(bannedIn(line)).toEqual([]);
  });

  it('says what to write instead of each phrase', () => {
    for (const { instead } of BANNED_PHRASES) expect(instead).toMatch(/^\w.{2,}/);
  });
});
