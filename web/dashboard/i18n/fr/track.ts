import type { TextsOf } from '../en/texts-of.ts'
import type { track as english } from '../en/track.ts'

/** The page of a track. */
export const track: TextsOf<typeof english> = {
  'track.mapLabel': 'Carte de la trace',
  'track.start': 'Départ',
  'track.finish': 'Arrivée',
  'track.elevation': 'Altitude',
  'track.speed': 'Vitesse',
  'track.colouredBy': 'Couleur de la ligne',
  'track.profile': 'Profil',
  'track.profileLabel': 'Altitude et vitesse le long de la trace',
  'track.along': 'Axe horizontal',
  'track.byDistance': 'Distance',
  'track.byTime': 'Heure',
  'track.position': 'Position sur la trace',
  'track.pointAt': 'Pointez la carte ou le profil, ou déplacez le curseur, pour lire les valeurs à cet endroit.',
  'track.noPoints': 'Pas encore de points',
  'track.noPointsHelp': 'Dès que l’appareil envoie des points, la trace est dessinée ici.',
  'track.download': 'Télécharger',
  'track.asGpx': 'GPX, pour d’autres programmes et appareils',
  'track.asGeoJson': 'GeoJSON, pour les cartes',
  'track.asCsv': 'CSV, pour les tableurs',
  'track.share': 'Partager cette trace',
  'track.delete': 'Supprimer',
  'track.deleteThis': 'Supprimer {{title}} ?',
  'track.deleteHelp':
    'La trace et tous ses points ({{points}}) disparaîtront définitivement, aussi pour la personne qui l’a enregistrée.',
  'track.deleted': '{{title}} est supprimée',

  'splits.title': 'Kilomètre par kilomètre',
  'splits.kilometre': 'Kilomètre',

  'pauses.title': 'Pauses',
  'pauses.since': 'depuis le {{from}}',
  'pauses.fromTo': 'du {{from}} à {{to}} ({{duration}})',

  'leftOut.title': 'Points écartés',
  'leftOut.none': 'Tous les points comptent dans les statistiques.',
  'leftOut.used':
    '{{used}} points sur {{all}} comptent dans les statistiques. Les autres sont conservés et montrés sur la carte par des cercles rouges :',
  'leftOut.same_time': '{{figure}} au même instant qu’un meilleur point',
  'leftOut.inaccurate': '{{figure}} trop imprécis selon leur propre indication',
  'leftOut.spike': '{{figure}} partent et reviennent plus vite que quiconque',

  'points.title': 'Points bruts',
  'points.show': 'Afficher les points tels qu’envoyés',
  'points.count': '{{shown}} points chargés sur {{total}}',
  'points.time': 'Heure (UTC)',
  'points.latitude': 'Latitude',
  'points.longitude': 'Longitude',
  'points.altitude': 'Altitude (m)',
  'points.accuracy': 'Précision (m)',
  'points.speed': 'Vitesse (m/s)',
  'points.heading': 'Cap (°)',
  'points.battery': 'Batterie',
  'points.origin': 'Origine',
  'points.leftOut': 'Écarté',

  'reason.same_time': 'même instant',
  'reason.inaccurate': 'imprécis',
  'reason.spike': 'saut',
}
