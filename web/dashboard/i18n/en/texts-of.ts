/** French has a third plural form, for round millions: « 2 000 000 de points ». */
type ManyForm<TextKey> = TextKey extends `${infer Base}_other` ? `${Base}_many` : never

/** The texts of an area in French: each English one, and no other. */
export type TextsOf<English> = Record<keyof English | ManyForm<keyof English>, string>
