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

  'tracks.searchIn': 'Titre, personne ou appareil',
  'tracks.activity': 'Activité',
  'tracks.noneFound': 'Aucune trace ne correspond',
  'tracks.count': '{{shown}} traces chargées sur {{total}}',
  'tracks.downloadAll': 'Tout télécharger',
  'tracks.downloadAllHelp': 'Toutes les traces de l’événement dans une archive ZIP, un fichier par trace',
  'tracks.user': 'Personne',
  'tracks.start': 'Départ',
  'tracks.distance': 'Distance',
  'tracks.duration': 'Durée',
  'tracks.rate': 'Moyenne',
  'tracks.points': 'Points',
}
