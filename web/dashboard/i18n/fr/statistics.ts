import type { statistics as english } from '../en/statistics.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The statistics of a track, and the rules that they are calculated by. */
export const statistics: TextsOf<typeof english> = {
  'stats.title': 'Statistiques',
  'stats.distance': 'Distance',
  'stats.duration': 'Durée',
  'stats.moving': 'Temps en mouvement',
  'stats.paused': 'Temps de pause',
  'stats.gain': 'D+',
  'stats.loss': 'D−',
  'stats.meanSpeed': 'Vitesse moyenne',
  'stats.maxSpeed': 'Vitesse maximale',
  'stats.fastestPace': 'Meilleure allure',
  'stats.pace': 'Allure',
  'stats.highest': 'Point culminant',
  'stats.lowest': 'Point le plus bas',
  'stats.points': 'Points',
  'stats.how': 'Mode de calcul : {{figure}}',
  'stats.fromDevice': 'Valeur fournie par l’appareil.',
  'stats.fromServer': 'Valeur calculée par le serveur à partir des points.',

  'rule.travelled_legs':
    'Somme des distances à la surface entre les points retenus (haversine, rayon moyen de la Terre), hors pauses, longs arrêts et sauts du récepteur. Le dénivelé n’ajoute rien.',
  'rule.first_to_last_point': 'Du premier au dernier point retenu, pauses comprises.',
  'rule.start_to_end': 'Du départ à la fin de la trace, faute de points.',
  'rule.elevation_plain':
    'Somme de toutes les montées et descentes des altitudes brutes, car elles sont peu nombreuses ou sans bruit.',
  'rule.elevation_10s_3m':
    'Altitudes moyennées sur 10 s. Une inversion compte dès 3 m d’écart avec le dernier extrême.',
  'rule.elevation_30s_5m':
    'Altitudes moyennées sur 30 s. Une inversion compte dès 5 m d’écart avec le dernier extrême.',
  'rule.elevation_30s_10m':
    'Altitudes moyennées sur 30 s. Une inversion compte dès 10 m d’écart avec le dernier extrême.',
  'rule.distance_by_duration': 'Distance divisée par la durée.',
  'rule.duration_by_distance': 'Durée divisée par la distance.',
  'rule.max_of_points': 'Plus haute vitesse plausible mesurée par le récepteur lui-même.',
  'rule.max_of_positions': 'Plus haute vitesse plausible entre deux positions sur 10 s.',
  'rule.altitude_range':
    'D’après les altitudes brutes qui servent au dénivelé. Une altitude qui s’écarte brusquement et revient ne compte pas.',
  'rule.stored_points': 'Tous les points enregistrés, y compris les points exclus.',
  'rule.moving_legs': 'Temps passé au-dessus de la vitesse d’arrêt : 0,28 m/s à pied, 1,11 m/s à vélo.',
  'rule.declared_pauses': 'Temps pendant lequel la trace était en pause, entre le premier et le dernier point.',
  'rule.given': 'Valeur calculée par l’appareil et affichée telle quelle.',
}
