import type { TextsOf } from '../en/texts-of.ts'
import type { track as english } from '../en/track.ts'

/** The page of a track. */
export const track: TextsOf<typeof english> = {
  'track.mapLabel': 'Carte de la trace',
  'track.start': 'Départ',
  'track.finish': 'Arrivée',
  'track.elevation': 'Altitude',
  'track.speed': 'Vitesse',
  'track.gradient': 'Pente',
  'track.colouredBy': 'Couleur de la ligne',
  'track.profile': 'Profil',
  'track.along': 'Axe horizontal',
  'track.byDistance': 'Distance',
  'track.byTime': 'Temps',
  'track.steady': '{{value}} tout du long',
  'track.position': 'Position sur la trace',
  'track.pointAt': 'Survolez la carte ou le profil, ou déplacez le curseur, pour voir les valeurs.',
  'track.trimmed':
    'Seule la partie du {{from}} au {{to}} est affichée et comptée. Les extrémités en gris sont conservées.',
  'track.wholeRecording': 'Enregistrement complet : {{distance}} en {{duration}}.',

  'profile.highest': 'maximum {{value}} à {{at}}',
  'profile.lowest': 'minimum {{value}} à {{at}}',
  'profile.fastest': 'maximum {{value}} à {{at}}',
  'profile.gradient': 'pente {{value}}',

  'headline.title': 'Chiffres clés',
  'headline.moving': '{{value}} en mouvement',
  'headline.loss': 'D− {{value}}',

  'track.noPoints': 'Aucun point pour l’instant',
  'track.noPointsHelp': 'La trace apparaît ici dès que l’appareil envoie des points.',
  'track.edit': 'Modifier',
  'track.editTitle': 'Modifier la trace',
  'track.titleMissing': 'Saisissez un titre',
  'track.activityHelp': 'Les statistiques en dépendent.',
  'track.personHelp': 'Le nom ou le numéro sous lequel la personne est connue dans l’événement.',
  'track.shownPart': 'Partie affichée',
  'track.shownPartHelp':
    'Masquez le trajet jusqu’au départ ou le retour en voiture. Les cartes, les statistiques et les spectateurs n’utilisent que la partie affichée. Tous les points restent enregistrés, et les téléchargements restent complets.',
  'track.shownFrom': 'Affichée à partir de',
  'track.shownUntil': 'Affichée jusqu’à',
  'track.hiddenAtStart': 'Début masqué : {{duration}}',
  'track.hiddenAtEnd': 'Fin masquée : {{duration}}',
  'track.nothingHidden': 'Rien n’est masqué.',
  'track.showAll': 'Tout afficher',
  'track.finishAction': 'Terminer…',
  'track.finishThis': 'Terminer « {{title}} » ?',
  'track.finishNow': 'Terminer la trace',
  'track.finishHelp':
    'Pour un téléphone éteint ou oublié. La trace se termine à son dernier point, le {{time}}. Les points qui arrivent encore sont conservés.',
  'track.finishHelpWithoutPoints':
    'Pour un téléphone éteint ou oublié. La trace n’a aucun point et se termine maintenant.',
  'track.finished': '{{title}} : trace terminée',
  'track.download': 'Télécharger',
  'track.asGpx': 'GPX, pour d’autres applications et appareils',
  'track.asFit': 'FIT, pour les montres et les plateformes de sport',
  'track.asTcx': 'TCX, pour les logiciels d’entraînement',
  'track.asKml': 'KML, pour Google Earth',
  'track.asGeoJson': 'GeoJSON, pour les cartes',
  'track.asCsv': 'CSV, pour les tableurs',
  'track.share': 'Partager la trace',
  'track.delete': 'Supprimer',
  'track.deleteHelp_one':
    'La trace et son {{figure}} point seront supprimés définitivement, y compris pour la personne qui l’a enregistrée.',
  'track.deleteHelp_many':
    'La trace et ses {{figure}} points seront supprimés définitivement, y compris pour la personne qui l’a enregistrée.',
  'track.deleteHelp_other':
    'La trace et ses {{figure}} points seront supprimés définitivement, y compris pour la personne qui l’a enregistrée.',
  'track.deleted': '{{title}} : suppression effectuée',

  'splits.title': 'Temps intermédiaires',
  'splits.show': 'Montrer {{split}} sur la carte et le profil',
  'splits.time': 'Temps',
  'splits.moving': 'En mouvement',
  'splits.gain': 'D+',
  'splits.loss': 'D−',

  'pauses.title': 'Pauses',
  'pauses.since': 'Depuis le {{from}}',
  'pauses.fromTo': 'Du {{from}} à {{to}} ({{duration}})',

  'leftOut.title': 'Points exclus',
  'leftOut.none': 'Tous les points comptent dans les statistiques.',
  'leftOut.used_one':
    '{{used}} points sur {{all}} comptent dans les statistiques. L’autre est conservé et apparaît sur la carte comme un cercle rouge :',
  'leftOut.used_many':
    '{{used}} points sur {{all}} comptent dans les statistiques. Les autres sont conservés et apparaissent sur la carte comme des cercles rouges :',
  'leftOut.used_other':
    '{{used}} points sur {{all}} comptent dans les statistiques. Les autres sont conservés et apparaissent sur la carte comme des cercles rouges :',
  'leftOut.same_time_one': '{{figure}} point au même instant qu’un meilleur point',
  'leftOut.same_time_many': '{{figure}} points au même instant qu’un meilleur point',
  'leftOut.same_time_other': '{{figure}} points au même instant qu’un meilleur point',
  'leftOut.inaccurate_one': '{{figure}} point trop imprécis selon l’appareil',
  'leftOut.inaccurate_many': '{{figure}} points trop imprécis selon l’appareil',
  'leftOut.inaccurate_other': '{{figure}} points trop imprécis selon l’appareil',
  'leftOut.spike_one': '{{figure}} point s’écarte et revient à une vitesse impossible',
  'leftOut.spike_many': '{{figure}} points s’écartent et reviennent à une vitesse impossible',
  'leftOut.spike_other': '{{figure}} points s’écartent et reviennent à une vitesse impossible',

  'leftOut.altitudes_one':
    'De plus, {{figure}} altitude s’écarte brusquement et revient. Elle ne compte ni dans le dénivelé ni comme point le plus haut ou le plus bas.',
  'leftOut.altitudes_many':
    'De plus, {{figure}} altitudes s’écartent brusquement et reviennent. Elles ne comptent ni dans le dénivelé ni comme point le plus haut ou le plus bas.',
  'leftOut.altitudes_other':
    'De plus, {{figure}} altitudes s’écartent brusquement et reviennent. Elles ne comptent ni dans le dénivelé ni comme point le plus haut ou le plus bas.',

  'points.title': 'Points bruts',
  'points.show': 'Afficher les points bruts',
  'points.count_one': '{{shown}} point chargé sur {{total}}',
  'points.count_many': '{{shown}} points chargés sur {{total}}',
  'points.count_other': '{{shown}} points chargés sur {{total}}',
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
