import { enableFollowing } from './dom/follows';
import { enableReporting } from './dom/reports';
import { enableVoting } from './dom/votes';
import { enableEmbedSizes } from './post/embed-sizes';
import { enableLongPictures } from './post/long-pictures';
import { enableMotion } from './post/motion';
import { enablePlayers } from './post/player';
import { enableNeighbours } from './post/neighbours';
import { enableSharing } from './post/sharing';
import { enableVeils } from './post/veils';
import { enableUpdates } from './post/updates';
import { enableZoom } from './post/zoom';

// Votes and links to the next post stay beside long sets, unless a long description would then end below the window.
const about = document.querySelector<HTMLElement>('.post-about');
if (about) {
  new ResizeObserver(() => {
    about.classList.toggle('is-following', about.offsetHeight < innerHeight - 100);
  }).observe(about);
}
enableVoting();
enableReporting();
enableFollowing();
enableZoom();
enableEmbedSizes();
enableNeighbours();
enableVeils();
enableSharing();
enableMotion();
enableLongPictures();
enablePlayers();
enableUpdates();
