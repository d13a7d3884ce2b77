// The classes and properties of the demo ontology.
const shapes = { person: 'ellipse', thing: 'roundrectangle', place: 'diamond', event: 'hexagon', idea: 'round-tag' };

/** [class, parents, label, accent colour, shape, Remix icon, Font Awesome icon, its unicode] */
export const CLASSES = [
  ['Element', [], 'Element', '#8FA3BF', shapes.thing, 'ri-shapes-line', 'fa-solid fa-shapes', '\\uf61f'],
  ['Agent', ['Element'], 'Agent', '#7FB3D5', shapes.person, 'ri-user-line', 'fa-solid fa-user', '\\uf007'],
  ['Person', ['Agent'], 'Person', '#7FB3D5', shapes.person, 'ri-user-3-line', 'fa-solid fa-user', '\\uf007'],
  ['Astronaut', ['Person'], 'Astronaut', '#5DADE2', shapes.person, 'ri-user-star-line', 'fa-solid fa-user-astronaut', '\\uf4fb'],
  ['FlightController', ['Person'], 'Flight controller', '#85C1E9', shapes.person, 'ri-headphone-line', 'fa-solid fa-headset', '\\uf590'],
  ['Organisation', ['Agent'], 'Organisation', '#AF7AC5', shapes.thing, 'ri-building-line', 'fa-solid fa-building', '\\uf1ad'],
  ['SpaceAgency', ['Organisation'], 'Space agency', '#A569BD', shapes.thing, 'ri-government-line', 'fa-solid fa-building-columns', '\\uf19c'],
  ['Contractor', ['Organisation'], 'Contractor', '#BB8FCE', shapes.thing, 'ri-building-4-line', 'fa-solid fa-industry', '\\uf275'],
  ['Crew', ['Agent'], 'Crew', '#48C9B0', shapes.person, 'ri-team-line', 'fa-solid fa-people-group', '\\ue533'],
  ['Asset', ['Element'], 'Asset', '#F5B041', shapes.thing, 'ri-box-3-line', 'fa-solid fa-box', '\\uf466'],
  ['Vehicle', ['Asset'], 'Vehicle', '#F5B041', shapes.thing, 'ri-car-line', 'fa-solid fa-car', '\\uf1b9'],
  ['Spacecraft', ['Vehicle'], 'Spacecraft', '#EB984E', shapes.thing, 'ri-space-ship-line', 'fa-solid fa-shuttle-space', '\\uf197'],
  ['CommandServiceModule', ['Spacecraft'], 'Command and service module', '#E59866', shapes.thing, 'ri-space-ship-fill', 'fa-solid fa-shuttle-space', '\\uf197'],
  ['LunarModule', ['Spacecraft'], 'Lunar module', '#DC7633', shapes.thing, 'ri-spy-line', 'fa-solid fa-spider', '\\uf717'],
  ['LaunchVehicle', ['Vehicle'], 'Launch vehicle', '#EC7063', shapes.thing, 'ri-rocket-line', 'fa-solid fa-rocket', '\\uf135'],
  ['LunarRover', ['Vehicle'], 'Lunar rover', '#F8C471', shapes.thing, 'ri-roadster-line', 'fa-solid fa-truck-monster', '\\uf63b'],
  ['RecoveryShip', ['Vehicle'], 'Recovery ship', '#5499C7', shapes.thing, 'ri-ship-line', 'fa-solid fa-ship', '\\uf21a'],
  ['Instrument', ['Asset'], 'Instrument', '#F7DC6F', shapes.thing, 'ri-compass-3-line', 'fa-solid fa-satellite-dish', '\\uf7c0'],
  ['LunarSample', ['Asset'], 'Lunar sample', '#AAB7B8', shapes.thing, 'ri-vip-diamond-line', 'fa-solid fa-gem', '\\uf3a5'],
  ['Place', ['Element'], 'Place', '#58D68D', shapes.place, 'ri-map-pin-line', 'fa-solid fa-location-dot', '\\uf3c5'],
  ['LaunchPad', ['Place'], 'Launch pad', '#52BE80', shapes.place, 'ri-road-map-line', 'fa-solid fa-tower-broadcast', '\\uf519'],
  ['LandingSite', ['Place'], 'Landing site', '#73C6B6', shapes.place, 'ri-moon-line', 'fa-solid fa-moon', '\\uf186'],
  ['ControlCentre', ['Place'], 'Control centre', '#82E0AA', shapes.place, 'ri-computer-line', 'fa-solid fa-desktop', '\\uf390'],
  ['Event', ['Element'], 'Event', '#F1948A', shapes.event, 'ri-calendar-event-line', 'fa-solid fa-calendar', '\\uf133'],
  ['Mission', ['Event'], 'Mission', '#E74C3C', shapes.event, 'ri-flag-line', 'fa-solid fa-flag', '\\uf024'],
  ['Anomaly', ['Event'], 'Anomaly', '#CB4335', shapes.event, 'ri-alert-line', 'fa-solid fa-triangle-exclamation', '\\uf071'],
  ['State', ['Element'], 'State', '#AED6F1', shapes.idea, 'ri-time-line', 'fa-solid fa-clock', '\\uf017'],
  ['MissionPhase', ['State'], 'Mission phase', '#A9CCE3', shapes.idea, 'ri-hourglass-line', 'fa-solid fa-hourglass', '\\uf254'],
  ['SurfaceStay', ['MissionPhase'], 'Surface stay', '#D5DBDB', shapes.idea, 'ri-footprint-line', 'fa-solid fa-shoe-prints', '\\uf54b'],
  ['Document', ['Element'], 'Document', '#D7BDE2', shapes.thing, 'ri-file-text-line', 'fa-solid fa-file-lines', '\\uf15c'],
];

/** [property, parent, label, domain, range] */
export const PROPERTIES = [
  ['involves', null, 'involves', 'Element', 'Element'],
  ['commandedBy', 'involves', 'commanded by', 'Mission', 'Astronaut'],
  ['crewMember', 'involves', 'crew member', 'Mission', 'Astronaut'],
  ['usedVehicle', 'involves', 'used vehicle', 'Mission', 'Vehicle'],
  ['launchedFrom', 'involves', 'launched from', 'Mission', 'LaunchPad'],
  ['landedAt', 'involves', 'landed at', 'Mission', 'LandingSite'],
  ['recoveredBy', 'involves', 'recovered by', 'Mission', 'RecoveryShip'],
  ['suffered', 'involves', 'suffered', 'Mission', 'Anomaly'],
];
