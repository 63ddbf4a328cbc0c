import type { live as english } from '../en/live.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Maps, and the live map of an event. */
export const live: TextsOf<typeof english> = {
  'map.attribution': 'À propos de cette carte',
  'map.zoomIn': 'Zoom avant',
  'map.zoomOut': 'Zoom arrière',
  'map.wheelHelp': 'Maintenez Ctrl en faisant défiler pour zoomer',
  'map.wheelHelpMac': 'Maintenez ⌘ en faisant défiler pour zoomer',
  'map.touchHelp': 'Déplacez la carte avec deux doigts',
  'map.failed': 'La carte ne peut pas être affichée dans ce navigateur. Tout le reste fonctionne.',

  'live.mapLabel': 'Carte des traces en cours',
  'live.list': 'Traces sur la carte',
  'live.noPoints': 'pas encore de points',
  'live.justNow': 'à l’instant',
  'live.search': 'Chercher un nom ou un numéro',
  'live.clear': 'Effacer la recherche',
  'live.follow': 'Suivre sur la carte',
  'live.quiet': 'Personne n’est en route',
  'live.quietHelp': 'Une trace apparaît ici dès ses premiers points et disparaît une heure après sa fin.',
  'live.toTracks': 'Vers toutes les traces',
  'live.tryIt': 'Essayer depuis un terminal',
  'live.opening': 'Connexion',
  'live.live': 'En direct',
  'live.waiting': 'Connexion perdue, nouvel essai',
  'live.closed': 'Non connecté, nouvel essai de temps en temps',
  'live.ended': 'Terminé',
  'live.empty': 'Pas encore de trace',
  'live.emptyHelp': 'Donnez le jeton de l’événement à une application. Une trace apparaît ici dès ses premiers points.',
  'live.toTokens': 'Vers les jetons',
  'live.toTrack': 'Vers la page de la trace',
}
