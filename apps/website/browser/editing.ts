import { enhanceForms } from './dom/forms';

enhanceForms('edit-post', {});
