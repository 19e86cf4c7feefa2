/**
 * x265's parameters for a sample of one or two pictures. With B-frames, it would compute the decoding times of so few pictures from
 * memory that it has not set, and ffmpeg refuses some of these times.
 */
export const FEW_PICTURES = 'log-level=none:bframes=0';
