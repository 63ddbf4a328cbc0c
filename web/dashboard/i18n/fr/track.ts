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
  'track.pointAt': 'Survolez la carte ou le profil, ou déplacez le curseur, pour voir les valeurs.',
  'track.noPoints': 'Aucun point pour l’instant',
  'track.noPointsHelp': 'La trace apparaît ici dès que l’appareil envoie des points.',
  'track.download': 'Télécharger',
  'track.asGpx': 'GPX, pour d’autres applications et appareils',
  'track.asGeoJson': 'GeoJSON, pour les cartes',
  'track.asCsv': 'CSV, pour les tableurs',
  'track.share': 'Partager la trace',
  'track.delete': 'Supprimer',
  'track.deleteHelp_one':
    'La trace et son {{figure}} point seront supprimés définitivement, y compris pour la personne qui l’a enregistrée.',
  'track.deleteHelp_many':
    'La trace et ses {{figure}} de points seront supprimés définitivement, y compris pour la personne qui l’a enregistrée.',
  'track.deleteHelp_other':
    'La trace et ses {{figure}} points seront supprimés définitivement, y compris pour la personne qui l’a enregistrée.',
  'track.deleted': '{{title}} : suppression effectuée',

  'splits.title': 'Temps intermédiaires',
  'splits.kilometre': 'Kilomètre',

  'pauses.title': 'Pauses',
  'pauses.since': 'Depuis le {{from}}',
  'pauses.fromTo': 'Du {{from}} à {{to}} ({{duration}})',

  'leftOut.title': 'Points exclus',
  'leftOut.none': 'Tous les points comptent dans les statistiques.',
  'leftOut.used':
    '{{used}} points sur {{all}} comptent dans les statistiques. Les autres sont conservés et apparaissent sur la carte comme des cercles rouges :',
  'leftOut.same_time_one': '{{figure}} point au même instant qu’un meilleur point',
  'leftOut.same_time_many': '{{figure}} de points au même instant qu’un meilleur point',
  'leftOut.same_time_other': '{{figure}} points au même instant qu’un meilleur point',
  'leftOut.inaccurate_one': '{{figure}} point trop imprécis selon l’appareil',
  'leftOut.inaccurate_many': '{{figure}} de points trop imprécis selon l’appareil',
  'leftOut.inaccurate_other': '{{figure}} points trop imprécis selon l’appareil',
  'leftOut.spike_one': '{{figure}} point s’écarte et revient à une vitesse impossible',
  'leftOut.spike_many': '{{figure}} de points s’écartent et reviennent à une vitesse impossible',
  'leftOut.spike_other': '{{figure}} points s’écartent et reviennent à une vitesse impossible',

  'points.title': 'Points bruts',
  'points.show': 'Afficher les points bruts',
  'points.count': '{{shown}} points chargés sur {{total}}',
  'points.time': 'Heure (UTC)',
  'points.latitude': 'Latitude',
  'points.longitude': 'Longitude',
  'points.altitude': 'Altitude (m)',
  'points.accuracy': 'Précision (m)',
  'points.speed_mps': 'Vitesse (m/s)',
  'points.heading': 'Cap (°)',
  'points.battery': 'Batterie',
  'points.origin': 'Origine',
  'points.leftOut': 'Exclu',

  'reason.same_time': 'même instant',
  'reason.inaccurate': 'imprécis',
  'reason.spike': 'saut',
}
