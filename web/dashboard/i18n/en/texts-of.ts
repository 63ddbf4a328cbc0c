/** The texts of an area in another language: each that there is in English, and no other. */
export type TextsOf<English> = Record<keyof English, string>
