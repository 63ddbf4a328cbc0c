/** Runners of the demo's race. All names are invented. */
const RUNNERS: readonly [name: string, category: string][] = [
  ['Ingrid Solberg', 'F'],
  ['Henrik Dahl', 'M'],
  ['Maren Lunde', 'F40'],
  ['Olav Bakken', 'M50'],
  ['Sigrid Haugen', 'F'],
  ['Jonas Vik', 'M'],
  ['Astrid Moen', 'F40'],
  ['Einar Strand', 'M50'],
  ['Liv Aasen', 'F'],
  ['Torbjørn Nes', 'M'],
  ['Kari Eide', 'F40'],
  ['Magnus Holm', 'M'],
  ['Solveig Berge', 'F'],
  ['Anders Fjell', 'M50'],
  ['Nora Lie', 'F'],
  ['Sverre Myhre', 'M'],
  ['Hanne Rud', 'F40'],
  ['Leif Sunde', 'M50'],
  ['Ida Krogh', 'F'],
  ['Gunnar Tveit', 'M'],
  ['Frida Ness', 'F'],
  ['Arne Lund', 'M50'],
  ['Tuva Hagen', 'F'],
  ['Nils Brekke', 'M'],
]

/**
 * Returns the start list as CSV: the first bibs have arrived or are under way, the next ones start one after another.
 */
export function startListCsv(): string {
  const lines = RUNNERS.map(([name, category], i) => `dossard ${i + 1},${i + 1},${name},${category}`)
  return ['user_id,bib,name,category', ...lines].join('\n')
}
