export const builtMark: string
export function webIsBuilt(): boolean
export function webWasBuilt(): boolean
export function webCanBeBuilt(): boolean
export function hashOfWebSources(): string
