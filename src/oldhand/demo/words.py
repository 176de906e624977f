"""The words that the demo company is made of: all written for it, nothing taken from a package."""

from dataclasses import dataclass


@dataclass(frozen=True)
class City:
    """A town on the map, in degrees north and east."""

    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Trade:
    """A line of business: what it sells, by category, and for how much."""

    name: str
    categories: dict[str, tuple[str, ...]]
    """The nouns of the products in each category."""
    price_range: tuple[int, int]
    """Cheapest and dearest price in whole euros."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _cities(text: str) -> tuple[City, ...]:
    fields = [entry.rsplit(" ", 2) for entry in text.split(", ")]
    return tuple(City(name, float(north), float(east)) for name, north, east in fields)


REGIONS: dict[str, tuple[City, ...]] = {
    "Germany": _cities(
        "Berlin 52.52 13.405, Hamburg 53.551 9.994, Munich 48.137 11.575, Cologne 50.938 6.96, "
        "Frankfurt 50.11 8.682, Stuttgart 48.776 9.183, Leipzig 51.34 12.375, Dresden 51.05 13.737, "
        "Hanover 52.376 9.732, Bremen 53.079 8.802, Nuremberg 49.452 11.077, Freiburg 47.999 7.842"
    ),
    "France": _cities(
        "Paris 48.857 2.352, Lyon 45.764 4.836, Marseille 43.296 5.37, Toulouse 43.605 1.444, "
        "Nantes 47.218 -1.554, Lille 50.629 3.057, Bordeaux 44.838 -0.579, Rennes 48.117 -1.678, "
        "Strasbourg 48.573 7.752, Grenoble 45.189 5.725, Dijon 47.322 5.041, Montpellier 43.611 3.877"
    ),
    "Spain": _cities(
        "Madrid 40.417 -3.704, Barcelona 41.385 2.173, Valencia 39.47 -0.377, Seville 37.389 -5.984, "
        "Zaragoza 41.649 -0.889, Malaga 36.721 -4.421, Bilbao 43.263 -2.935, Granada 37.177 -3.599, "
        "Vigo 42.24 -8.721, Salamanca 40.97 -5.664, Alicante 38.346 -0.491, Burgos 42.344 -3.697"
    ),
    "Italy": _cities(
        "Rome 41.903 12.496, Milan 45.464 9.19, Naples 40.852 14.268, Turin 45.07 7.687, "
        "Bologna 44.495 11.343, Genoa 44.406 8.946, Verona 45.438 10.992, Palermo 38.116 13.361, "
        "Trieste 45.649 13.777, Padua 45.407 11.877, Pisa 43.723 10.402, Bari 41.117 16.872"
    ),
    "United Kingdom": _cities(
        "London 51.507 -0.128, Manchester 53.483 -2.244, Birmingham 52.486 -1.89, Leeds 53.801 -1.549, "
        "Glasgow 55.864 -4.252, Bristol 51.455 -2.588, Liverpool 53.408 -2.992, Edinburgh 55.953 -3.188, "
        "Cardiff 51.482 -3.179, Sheffield 53.381 -1.47, Norwich 52.629 1.297, Plymouth 50.376 -4.143"
    ),
    "Sweden": _cities(
        "Stockholm 59.329 18.069, Gothenburg 57.709 11.975, Malmo 55.605 13.004, Uppsala 59.859 17.639, "
        "Orebro 59.275 15.213, Linkoping 58.411 15.621, Lund 55.705 13.191, Umea 63.826 20.263, "
        "Kalmar 56.663 16.357, Karlstad 59.402 13.512, Visby 57.639 18.296, Kiruna 67.856 20.225"
    ),
    "Netherlands": _cities(
        "Amsterdam 52.368 4.904, Rotterdam 51.924 4.478, Utrecht 52.09 5.122, Eindhoven 51.442 5.47, "
        "Groningen 53.219 6.567, Tilburg 51.56 5.091, Breda 51.571 4.768, Nijmegen 51.842 5.853, "
        "Haarlem 52.387 4.646, Leiden 52.16 4.497, Delft 52.012 4.357, Zwolle 52.517 6.083"
    ),
    "Canada": _cities(
        "Toronto 43.653 -79.383, Montreal 45.502 -73.567, Vancouver 49.283 -123.121, "
        "Calgary 51.045 -114.057, Ottawa 45.421 -75.697, Edmonton 53.546 -113.494, "
        "Winnipeg 49.895 -97.138, Quebec 46.814 -71.208, Halifax 44.649 -63.575, "
        "Regina 50.445 -104.619, Saskatoon 52.133 -106.67, Kelowna 49.888 -119.496"
    ),
}

FIRST_NAMES = _words(
    "Ada Aino Alba Amir Anouk Antonia Astrid Bela Bruno Carla Cem Chiara Clara Dario Dilan "
    "Edda Elif Emil Enzo Esra Eva Fabio Farid Femke Finn Freya Greta Gustav Hana Hugo Ida "
    "Ilse Ines Ivo Jana Joris Jonas Kai Karim Katja Lars Leila Lena Livia Luca Magda Malik "
    "Mara Marta Mats Milo Mina Nadia Nils Nora Olga Oskar Paul Petra Quinn Rafael Rosa Runa "
    "Sami Selma Sofia Sven Tariq Tilda Tomas Uma Vera Viktor Wanda Yara Yusuf Zoe"
)

LAST_NAMES = _words(
    "Abel Adler Almeida Andersen Aydin Bakker Banerjee Barros Bauer Becker Berger Bianchi "
    "Bosch Brandt Castro Claes Conti Cruz Dahl Demir Dubois Eriksen Esposito Falk Ferrari "
    "Fischer Fontaine Fuchs Gallo Garnier Gruber Haas Hakim Hansen Hartmann Hoffmann Iversen "
    "Jansen Jensen Kaya Keller Klein Kovacs Kruger Lambert Larsen Leclerc Lindqvist Lopes "
    "Maier Marino Meyer Moreau Mulder Navarro Nguyen Novak Nowak Okafor Olsen Ortega Pavlov "
    "Peeters Petrov Pinto Rahman Ramos Reyes Ricci Rossi Roux Santos Sauer Schmid Schuster "
    "Silva Singh Sorensen Suarez Tanaka Thomsen Torres Usman Vargas Vidal Visser Vogel Wagner "
    "Winter Wolff Yilmaz Zeller Ziegler"
)

TRADES = (
    Trade(
        "Bicycles",
        {
            "Helmets": ("Helmet", "Kids Helmet", "Visor Helmet"),
            "Lights": ("Headlight", "Rear Light", "Dynamo Lamp"),
            "Locks": ("Chain Lock", "Frame Lock", "Folding Lock"),
            "Saddles": ("Saddle", "Gel Saddle", "Leather Saddle"),
            "Tyres": ("Road Tyre", "Gravel Tyre", "Winter Tyre"),
            "Pumps": ("Floor Pump", "Mini Pump", "Shock Pump"),
            "Bags": ("Pannier", "Handlebar Bag", "Frame Bag"),
        },
        (8, 260),
    ),
    Trade(
        "Garden",
        {
            "Seeds": ("Tomato Seeds", "Herb Seeds", "Wildflower Seeds"),
            "Planters": ("Planter", "Hanging Basket", "Raised Bed"),
            "Shears": ("Pruning Shears", "Hedge Shears", "Grass Shears"),
            "Mowers": ("Push Mower", "Robot Mower", "Reel Mower"),
            "Hoses": ("Garden Hose", "Hose Reel", "Drip Hose"),
            "Furniture": ("Bench", "Folding Chair", "Patio Table"),
            "Compost": ("Compost Bin", "Worm Box", "Bark Mulch"),
        },
        (3, 640),
    ),
    Trade(
        "Kitchen",
        {
            "Knives": ("Chef Knife", "Bread Knife", "Paring Knife"),
            "Pans": ("Frying Pan", "Saute Pan", "Grill Pan"),
            "Kettles": ("Kettle", "Stove Kettle", "Travel Kettle"),
            "Scales": ("Kitchen Scale", "Pocket Scale", "Hanging Scale"),
            "Boards": ("Cutting Board", "Cheese Board", "Pastry Board"),
            "Jars": ("Storage Jar", "Spice Jar", "Preserving Jar"),
            "Grinders": ("Coffee Grinder", "Pepper Grinder", "Grain Mill"),
        },
        (4, 320),
    ),
    Trade(
        "Outdoor",
        {
            "Tents": ("Dome Tent", "Tunnel Tent", "Bivy Tent"),
            "Backpacks": ("Daypack", "Trekking Pack", "Climbing Pack"),
            "Stoves": ("Gas Stove", "Wood Stove", "Spirit Stove"),
            "Jackets": ("Rain Jacket", "Down Jacket", "Fleece Jacket"),
            "Boots": ("Hiking Boots", "Winter Boots", "Approach Shoes"),
            "Lanterns": ("Lantern", "Headlamp", "Camp Light"),
            "Ropes": ("Static Rope", "Dynamic Rope", "Throw Line"),
        },
        (9, 480),
    ),
    Trade(
        "Office",
        {
            "Desks": ("Standing Desk", "Corner Desk", "Writing Desk"),
            "Chairs": ("Task Chair", "Mesh Chair", "Stool"),
            "Lamps": ("Desk Lamp", "Clip Lamp", "Floor Lamp"),
            "Notebooks": ("Ruled Notebook", "Dotted Notebook", "Sketchbook"),
            "Pens": ("Gel Pen", "Fountain Pen", "Marker Set"),
            "Shelves": ("Wall Shelf", "Cube Shelf", "Filing Rack"),
            "Monitors": ("Monitor", "Wide Monitor", "Portable Screen"),
        },
        (2, 720),
    ),
    Trade(
        "Music",
        {
            "Guitars": ("Acoustic Guitar", "Travel Guitar", "Bass Guitar"),
            "Drums": ("Snare Drum", "Cajon", "Practice Pad"),
            "Keyboards": ("Stage Piano", "Synthesizer", "Organ"),
            "Flutes": ("Recorder", "Concert Flute", "Tin Whistle"),
            "Strings": ("Guitar Strings", "Violin Strings", "Bass Strings"),
            "Amplifiers": ("Combo Amp", "Practice Amp", "Bass Amp"),
            "Microphones": ("Studio Microphone", "Stage Microphone", "Clip Microphone"),
        },
        (5, 980),
    ),
)

SERIES = _words(
    "Alder Amber Arctic Atlas Aurora Basalt Beacon Birch Borealis Breeze Canyon Cedar Cobalt "
    "Comet Coral Delta Dune Echo Ember Falcon Fern Fjord Garnet Glacier Harbour Hazel Heron "
    "Indigo Iris Juniper Kestrel Lagoon Larch Linden Lotus Lynx Maple Meridian Mistral Nimbus "
    "Nova Oak Onyx Opal Orbit Osprey Pebble Pine Prairie Quartz Raven Ridge Rowan Saffron "
    "Sierra Slate Summit Swift Tundra Umbra Willow Zenith Zephyr"
)

SUPPLIER_COUNTRIES = _words(
    "Austria Belgium Czechia Denmark Finland Japan Poland Portugal Slovenia Switzerland "
    "Taiwan Vietnam"
)

SUPPLIER_KINDS = ("Works", "Trading", "Manufacturing", "Industries", "Supply", "Wholesale")

COMPANY_ENDINGS = ("& Sons", "Brothers", "Company", "& Daughters", "Traders", "House")

STREETS = ("Market Street", "Station Square", "Mill Lane", "Harbour Road", "Old Town", "North Gate")
