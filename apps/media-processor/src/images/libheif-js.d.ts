/** libheif-js has no types for its entry points. These are the parts that this service calls. */
declare module 'libheif-js/wasm-bundle' {
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    is_primary(): boolean;
    /** Decodes into `target.data` as RGBA; calls back with null if it can't. */
    display(
      target: { data: Uint8Array; width: number; height: number },
      done: (target: unknown) => void,
    ): void;
    free(): void;
  }
  interface HeifDecoder {
    decoder: unknown;
    decode(file: Uint8Array): HeifImage[];
  }
  const libheif: {
    HeifDecoder: new () => HeifDecoder;
    heif_context_free(context: unknown): void;
  };
  export = libheif;
}
