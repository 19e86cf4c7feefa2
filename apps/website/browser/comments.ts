import { enableCounting } from './comments/counting';
import { enableDrafts } from './comments/drafts';
import { enablePermalinks } from './comments/permalinks';
import { enablePosting } from './comments/posting';
import { enableReplies } from './comments/replies';
import { enableVoting } from './dom/votes';

enableVoting();
enableCounting();
enableDrafts();
enableReplies();
enablePosting();
enablePermalinks();
