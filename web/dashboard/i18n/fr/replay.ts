import type { replay as english } from '../en/replay.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The replay of an event. */
export const replay: TextsOf<typeof english> = {
  'event.replay': 'Revoir',
  'replay.mapLabel': 'Carte de la rediffusion',
  'replay.play': 'Lire',
  'replay.pause': 'Pause',
  'replay.position': 'Moment de la rediffusion',
  'replay.mode': 'Départ des coureurs',
  'replay.clock': 'Heure réelle',
  'replay.common': 'Départ commun',
  'replay.speed': 'Vitesse',
  'replay.times': '{{times}} ×',
  'replay.standings': 'Coureurs, du plus avancé au moins avancé',
  'replay.waiting': 'pas encore parti',
  'replay.leader': '{{name}} est en tête avec {{distance}}',
  'replay.ended_one': '{{figure}} est arrivé',
  'replay.ended_many': '{{figure}} sont arrivés',
  'replay.ended_other': '{{figure}} sont arrivés',
  'replay.more': 'et {{figure}} autres, accessibles par la recherche',
  'replay.leftOut_one': '{{figure}} trace n’est pas affichée.',
  'replay.leftOut_many': '{{figure}} traces ne sont pas affichées.',
  'replay.leftOut_other': '{{figure}} traces ne sont pas affichées.',
  'replay.goingOn': 'L’événement continue. La rediffusion s’arrête à ce qui était connu à son chargement.',
  'replay.reload': 'Charger la suite',
  'replay.keys': 'Espace : lecture et pause. Flèches : avancer et reculer. Début et Fin : aller aux extrémités.',
  'replay.empty': 'Rien à revoir pour l’instant',
  'replay.emptyHelp':
    'Dès qu’une trace a des positions, vous pouvez revoir l’événement depuis son départ, jusqu’à 600 fois plus vite.',
}
