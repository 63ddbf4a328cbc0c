import type { TextsOf } from '../en/texts-of.ts'
import type { tracks as english } from '../en/tracks.ts'

/** The list of tracks. */
export const tracks: TextsOf<typeof english> = {
  'state.running': 'En cours',
  'state.paused': 'En pause',
  'state.stopped': 'Terminée',

  'activity.run': 'Course',
  'activity.walk': 'Marche',
  'activity.bike': 'Vélo',
  'activity.hike': 'Randonnée',

  'tracks.search': 'Rechercher',
  'tracks.searchIn': 'Titre, personne ou appareil',
  'tracks.state': 'État',
  'tracks.activity': 'Type',
  'tracks.all': 'Tous',
  'tracks.empty': 'Pas encore de trace',
  'tracks.noneFound': 'Aucune trace ne correspond',
  'tracks.clear': 'Afficher toutes les traces',
  'tracks.count': '{{shown}} traces chargées sur {{total}}',
  'tracks.title': 'Titre',
  'tracks.user': 'Personne',
  'tracks.start': 'Départ',
  'tracks.distance': 'Distance',
  'tracks.duration': 'Durée',
  'tracks.points': 'Points',
  'tracks.updated': 'Dernier changement',
}
