import type { live as english } from '../en/live.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Maps, and the live map of an event. */
export const live: TextsOf<typeof english> = {
  'map.attribution': 'À propos de cette carte',
  'map.zoomIn': 'Zoom avant',
  'map.zoomOut': 'Zoom arrière',
  'map.wheelHelp': 'Utilisez Ctrl + molette pour zoomer sur la carte',
  'map.wheelHelpMac': 'Utilisez ⌘ + molette pour zoomer sur la carte',
  'map.touchHelp': 'Utilisez deux doigts pour déplacer la carte',
  'map.failed': 'Ce navigateur ne peut pas afficher la carte. Tout le reste fonctionne.',

  'live.mapLabel': 'Carte des traces en cours',
  'live.list': 'Traces sur la carte',
  'live.noPoints': 'aucun point pour l’instant',
  'live.justNow': 'à l’instant',
  'live.search': 'Rechercher un nom ou un numéro',
  'live.clear': 'Effacer la recherche',
  'live.follow': 'Suivre sur la carte',
  'live.quiet': 'Aucune trace en cours',
  'live.quietHelp': 'Une trace apparaît ici dès ses premiers points et disparaît une heure après son arrivée.',
  'live.toTracks': 'Voir toutes les traces',
  'live.tryIt': 'Essayer dans un terminal',
  'live.opening': 'Connexion…',
  'live.live': 'En direct',
  'live.late': 'En retard',
  'live.updatedSeconds': 'Mis à jour il y a {{seconds}} s',
  'live.updatedMinutes': 'Mis à jour il y a {{minutes}} min',
  'live.waiting': 'Connexion perdue. Reconnexion…',
  'live.closed': 'Non connecté. Nouvelle tentative…',
  'live.ended': 'Terminé',
  'live.empty': 'Aucune trace pour l’instant',
  'live.emptyHelp': 'Donnez le jeton de l’événement à une application. Une trace apparaît ici dès ses premiers points.',
  'live.toTokens': 'Voir les jetons',
  'live.toTrack': 'Voir la trace',
}
