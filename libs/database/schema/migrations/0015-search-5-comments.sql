comment on index users_similar_idx is 'people by a part of their name, or one like it';
comment on index posts_similar_idx is 'listed posts by words like those of the title, and by parts of words without spaces';
comment on index posts_title_idx is 'titles by their beginning, while somebody types';
